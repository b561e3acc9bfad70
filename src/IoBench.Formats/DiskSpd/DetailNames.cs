namespace IoBench.Formats.DiskSpd;

/// <summary>Names and lines of <see cref="Engine.IoTestResult.ToolDetails"/> that DiskSpd's readers fill and its writers print.</summary>
internal static class DetailNames
{
    /// <summary>Where the I/Os of a distribution (-rd) really went.</summary>
    internal const string Distribution = Engine.EffectiveDistribution.Name;
    /// <summary>How often threads waited (-vs).</summary>
    internal const string Waits = "Wait statistics";
    /// <summary>Whether a line such as <c>target: a.dat [thread: 0 - 3 7]</c> names a thread.</summary>
    internal static bool HasThread(string line, int thread)
    {
        var list = line[(line.LastIndexOf("[thread:", StringComparison.Ordinal) + 8)..].Trim(' ', ']').Split(' ', StringSplitOptions.RemoveEmptyEntries);
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

    /// <summary>Header of the waits' table.</summary>
    internal const string WaitsHeader = "thread | completion wait | throttle wait  -  sleep | lookaside | 0 - 7+ complete per lookaside";

    /// <summary>A row of it, without the blanks it begins with.</summary>
    internal static string WaitsRow(int thread, string wait, string throttle, string sleep, string lookaside, string completions) =>
        $"{thread} | {wait.PadLeft(15)} | {throttle.PadLeft(13)}  - {sleep.PadLeft(6)} | {lookaside.PadLeft(9)} | {completions}";
}
