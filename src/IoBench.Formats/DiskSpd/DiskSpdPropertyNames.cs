using IoBench.Engine;

namespace IoBench.Formats;

/// <summary>Keys of <see cref="IoTestResult.ToolDetails"/> that DiskSpd's readers set and its writers print.</summary>
internal static class DiskSpdPropertyNames
{
    internal const string Distribution = "Effective IO distributions";

    internal const string Waits = "Wait statistics";

    internal const string CompletionWaits = "Wait statistics, completion";

    internal const string Lookasides = "Wait statistics, lookaside";

    internal const string IoRing = "IoRing statistics";

    internal const string EffectiveAffinity = "Effective affinity";

    internal const string MixedCores = "DiskSpd said: threads ran on P-cores and on E-cores, so that the figures reflect both.";

    /// <summary>Tests whether a line such as <c>target: a.dat [thread: 0 - 3 7]</c> names a thread.</summary>
    internal static bool HasThread(string line, int thread)
    {
        var list = line[(line.LastIndexOf("[thread:", StringComparison.Ordinal) + 8)..]
            .Trim(' ', ']')
            .Split(' ', StringSplitOptions.RemoveEmptyEntries);
        for (var i = 0; i < list.Length; i++)
        {
            if (ToolNumberParser.ParseLeadingInt32(list[i]) is not int number)
                continue;
            var isRange = i + 2 < list.Length && list[i + 1] == "-";
            if (number == thread || (isRange && number < thread && thread <= ToolNumberParser.ParseLeadingInt32(list[i + 2])))
                return true;
        }
        return false;
    }

    internal const string Etw = "ETW";
}
