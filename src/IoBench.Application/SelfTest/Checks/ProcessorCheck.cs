using IoBench.Engine;

namespace IoBench.Application;

internal static class ProcessorCheck
{
    private const string Code = "Processors",
        Subject = "Processors";
    private const int Handles = 100;

    public static IEnumerable<SelfTestCheck> Make(SelfTestContext context)
    {
        var all = ThreadAffinity.Available();
        var ends = new[] { all[0], all[^1] }.Distinct().ToArray();
        var wrong = ends.Where(processor => ProcessorOf(processor) != processor).ToArray();
        var hints = OperatingSystem.IsWindows() ? TakeHints(context) : "";
        var names = string.Join(" and ", ends);
        yield return wrong.Length == 0
            ? SelfTestCheck.Pass(
                Code,
                Subject,
                ends.Length == 1
                    ? $"a thread that is bound to processor {names} runs there{hints}."
                    : $"threads that are bound to processors {names} run there{hints}."
            )
            : SelfTestCheck.Fail(
                Code,
                Subject,
                wrong.Length == 1
                    ? $"a thread that is bound to processor {wrong[0]} runs elsewhere{hints}."
                    : $"threads that are bound to processors {string.Join(" and ", wrong)} run elsewhere{hints}.",
                "Do not use affinity here, and report it"
            );
    }

    // Use a separate thread, so that the affinity of the calling thread does not change.
    private static int ProcessorOf(int processor)
    {
        var found = -1;
        IoBenchException? error = null;
        var thread = new Thread(() =>
        {
            try
            {
                ThreadAffinity.Bind([processor]);
                found = Thread.GetCurrentProcessorId();
            }
            catch (IoBenchException e)
            {
                error = e;
            }
        });
        thread.Start();
        thread.Join();
        return error is null ? found : throw error;
    }

    // The priority hint must be aligned to 8 bytes. Otherwise, some of the handles refuse it.
    private static string TakeHints(SelfTestContext context)
    {
        var test = context.Test(IoBuffering.Both);
        test.Priority = IoPriority.Low;
        using var target = context.OpenTarget(test);
        for (var i = 0; i < Handles; i++)
            target.Open(test, context.Backend).Dispose();
        return $"; each of {Handles} handles took an I/O priority";
    }
}
