using IoBench.Engine;

namespace IoBench.Application;

internal static class HostChecks
{
    private const string ProcessorsCode = "Processors",
        ProcessorsSubject = "Processors";
    private const int HandleCount = 100;

    public static IEnumerable<SelfTestCheck> CheckProcessors(SelfTestContext context)
    {
        var all = ThreadAffinity.GetAvailableProcessors();
        var ends = new[] { all[0], all[^1] }.Distinct().ToArray();
        var wrong = ends.Where(processor => GetBoundProcessor(processor) != processor).ToArray();
        var hints = OperatingSystem.IsWindows() ? SetPriorityHints(context) : "";
        var names = string.Join(" and ", ends);
        yield return wrong.Length == 0
            ? SelfTestCheck.Pass(
                ProcessorsCode,
                ProcessorsSubject,
                ends.Length == 1
                    ? $"a thread that is bound to processor {names} runs there{hints}."
                    : $"threads that are bound to processors {names} run there{hints}."
            )
            : SelfTestCheck.Fail(
                ProcessorsCode,
                ProcessorsSubject,
                wrong.Length == 1
                    ? $"a thread that is bound to processor {wrong[0]} runs elsewhere{hints}."
                    : $"threads that are bound to processors {string.Join(" and ", wrong)} run elsewhere{hints}.",
                "Do not use affinity here, and report it"
            );
    }

    // Use a separate thread, so that the affinity of the calling thread does not change.
    private static int GetBoundProcessor(int processor)
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
    private static string SetPriorityHints(SelfTestContext context)
    {
        var test = context.CreateTest(IoBuffering.Both);
        test.Priority = IoPriority.Low;
        using var target = context.OpenTestFile(test);
        for (var i = 0; i < HandleCount; i++)
            target.OpenHandle(test, context.Backend).Dispose();
        return $"; each of {HandleCount} handles took an I/O priority";
    }
}
