namespace IoBench.Formats.DiskSpd;

/// <summary>
/// How often a thread waited for completions or throttled itself (-vs). Up to 2.2 that is one table; 2.3 has one for completions, with how many each wait
/// gave, and one for looking without waiting. All are kept as lines of text, as DiskSpd prints them but for the blanks they begin with.
/// </summary>
/// <param name="Thread">The thread's number.</param>
/// <param name="Wait">Waits for completions.</param>
/// <param name="ThrottleWait">Waits of a limited rate.</param>
/// <param name="ThrottleSleep">Sleeps of a limited rate.</param>
/// <param name="WaitCompletions">How many waits gave 0, 1 … 7 and more completions; eight counts, empty before 2.3.</param>
/// <param name="Lookaside">Looks without waiting.</param>
/// <param name="LookasideCompletions">The same eight counts of looks.</param>
internal sealed record WaitStatistics(
    int Thread,
    string Wait,
    string ThrottleWait,
    string ThrottleSleep,
    string WaitCompletions,
    string Lookaside,
    string LookasideCompletions
)
{
    /// <summary>Header of the table up to 2.2.</summary>
    internal const string Header = "thread | completion wait | throttle wait  -  sleep | lookaside | 0 - 7+ complete per lookaside";

    /// <summary>Header of 2.3's table of completions.</summary>
    internal const string CompletionHeader = "thread |         wait | 0 - 7+ complete per wait";

    /// <summary>The same where a thread limited its rate.</summary>
    internal const string ThrottledHeader = "thread |         wait | throttle wait  -  sleep | 0 - 7+ complete per wait";

    /// <summary>Header of 2.3's table of looks.</summary>
    internal const string LookasideHeader = "thread |    lookaside | 0 - 7+ complete per lookaside";

    /// <summary>Counts where there are none.</summary>
    internal const string Zeros = "0 0 0 0 0 0 0 0";
    private const string NotThrottled = "              ---      ";

    /// <summary>The thread limited its rate.</summary>
    internal bool IsThrottled => ThrottleWait != "0" || ThrottleSleep != "0";

    /// <summary>
    /// The statistics of a result; of a run of our own that was asked for them, zeros: IoBench waits in its own way, and who reads the output looks for
    /// the table. Null when there are none.
    /// </summary>
    internal static List<WaitStatistics>? From(IoTestResult result)
    {
        var details = result.ToolDetails;
        if (details.TryGetValue(DetailNames.Waits, out var waits))
            return Read(waits, 5, (thread, cells) => new(thread, cells[1], Part(cells[2], 0), Part(cells[2], 1), "", cells[3], cells[4]));
        if (details.TryGetValue(DetailNames.CompletionWaits, out var completions))
            return WithLookasides(completions, details.GetValueOrDefault(DetailNames.Lookasides));
        return result.Source == IoTestResult.OwnSource && result.Specification?.Origin().DiskSpd is { VerboseStatistics: true }
            ? [.. result.Threads.Select(t => t.ThreadId).Distinct().Select(id => new WaitStatistics(id, "0", "0", "0", Zeros, "0", Zeros))]
            : null;
    }

    private static List<WaitStatistics> WithLookasides(string completions, string? lookasides)
    {
        var looks = new Dictionary<int, (string Count, string Completions)>();
        foreach (var row in Read(lookasides ?? "", 3, (thread, cells) => new(thread, "", "", "", "", cells[1], cells[2])))
            looks[row.Thread] = (row.Lookaside, row.LookasideCompletions);
        var rows = completions.StartsWith(CompletionHeader, StringComparison.Ordinal)
            ? Read(completions, 3, (thread, cells) => new(thread, cells[1], "0", "0", cells[2], "0", ""))
            : Read(completions, 4, (thread, cells) => new(thread, cells[1], Part(cells[2], 0), Part(cells[2], 1), cells[3], "0", ""));
        return rows.ConvertAll(row =>
            looks.TryGetValue(row.Thread, out var look) ? row with { Lookaside = look.Count, LookasideCompletions = look.Completions } : row
        );
    }

    private static List<WaitStatistics> Read(string table, int columns, Func<int, string[], WaitStatistics> row)
    {
        var rows = new List<WaitStatistics>();
        foreach (var line in table.Split('\n'))
        {
            var cells = line.Split('|', StringSplitOptions.TrimEntries);
            if (cells.Length == columns && int.TryParse(cells[0], out var thread))
                rows.Add(row(thread, cells));
        }
        return rows;
    }

    /// <summary>A count of <c>50  -      5</c>; 0 of what stands for none.</summary>
    private static string Part(string cell, int index) =>
        cell.Split('-', StringSplitOptions.TrimEntries) is { Length: 2 } parts ? parts[index] : "0";

    /// <summary>A row of the table up to 2.2.</summary>
    internal string Row() =>
        $"{Thread} | {Wait, 15} | {Throttle()} | {Lookaside, 9} | {(LookasideCompletions.Length > 0 ? LookasideCompletions : Zeros)}";

    /// <summary>A row of 2.3's table of completions.</summary>
    /// <param name="hasThrottled">The table has a column for limited rates.</param>
    internal string CompletionRow(bool hasThrottled) =>
        $"{Thread} | {Wait, 12} | {(!hasThrottled ? "" : (IsThrottled ? Throttle() : NotThrottled) + " | ")}{(WaitCompletions.Length > 0 ? WaitCompletions : Zeros)}";

    /// <summary>A row of 2.3's table of looks.</summary>
    internal string LookasideRow() => $"{Thread} | {Lookaside, 12} | {(LookasideCompletions.Length > 0 ? LookasideCompletions : Zeros)}";

    private string Throttle() => $"{ThrottleWait, 13}  - {ThrottleSleep, 6}";
}
