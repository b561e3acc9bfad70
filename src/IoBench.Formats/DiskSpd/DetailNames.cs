namespace IoBench.Formats.DiskSpd;

/// <summary>Names and lines of <see cref="IoTestResult.ToolDetails"/> that DiskSpd's readers fill and its writers print.</summary>
internal static class DetailNames
{
    /// <summary>Where the I/Os of a distribution (-rd) really went.</summary>
    internal const string Distribution = "Effective IO distributions";

    /// <summary>How often threads waited (-vs).</summary>
    internal const string Waits = "Wait statistics";

    /// <summary>How often threads waited for completions (-vs of 2.3).</summary>
    internal const string CompletionWaits = "Wait statistics, completion";

    /// <summary>How often threads looked for completions without waiting (-vs of 2.3).</summary>
    internal const string Lookasides = "Wait statistics, lookaside";

    /// <summary>How often threads submitted I/Os to their IoRing (-u).</summary>
    internal const string IoRing = "IoRing statistics";

    /// <summary>The processors that threads were bound to, in order (2.3).</summary>
    internal const string EffectiveAffinity = "Effective affinity";

    /// <summary>What 2.3 says of a run on cores of both kinds.</summary>
    internal const string MixedCores = "DiskSpd said: threads ran on P-cores and on E-cores, so that the figures reflect both.";

    /// <summary>Whether a line such as <c>target: a.dat [thread: 0 - 3 7]</c> names a thread.</summary>
    internal static bool HasThread(string line, int thread)
    {
        var list = line[(line.LastIndexOf("[thread:", StringComparison.Ordinal) + 8)..]
            .Trim(' ', ']')
            .Split(' ', StringSplitOptions.RemoveEmptyEntries);
        for (var i = 0; i < list.Length; i++)
        {
            if (Numbers.LeadingInt(list[i]) is not int number)
                continue;
            var isRange = i + 2 < list.Length && list[i + 1] == "-";
            if (number == thread || (isRange && number < thread && thread <= Numbers.LeadingInt(list[i + 2])))
                return true;
        }
        return false;
    }

    /// <summary>Counters of event tracing.</summary>
    internal const string Etw = "ETW";
}
