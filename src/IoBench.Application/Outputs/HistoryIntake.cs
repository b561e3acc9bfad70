using System.Globalization;
using System.Text;

namespace IoBench.Application.Outputs;

/// <summary>What a history took in.</summary>
/// <param name="Added">Results that are new in it.</param>
/// <param name="Known">Results that were there already, or twice among the new ones.</param>
/// <param name="Incomplete">Runs that end before their results: they are taken once they are whole.</param>
/// <param name="Files">The history's files that were written to.</param>
/// <param name="Failures">Files and folders that could not be read; the others were.</param>
/// <param name="Notes">What was left out of folders, in a line each.</param>
public sealed record HistoryAddition(
    IReadOnlyList<IoTestResult> Added,
    int Known,
    int Incomplete,
    IReadOnlyList<string> Files,
    IReadOnlyList<IoBenchException> Failures,
    IReadOnlyList<string> Notes
)
{
    /// <summary><c>3 results added, 12 were there already</c>.</summary>
    public override string ToString()
    {
        var text = Figures.Counted(Added.Count, "result") + " added";
        if (Files.Count > 0)
            text += $" to {string.Join(", ", Files)}";
        if (Known > 0)
            text += string.Create(CultureInfo.InvariantCulture, $"; {Known} {(Known == 1 ? "was" : "were")} there already");
        return Incomplete > 0
            ? text
                + string.Create(
                    CultureInfo.InvariantCulture,
                    $"; {Incomplete} left out: {(Incomplete == 1 ? "its run ends" : "their runs end")} before the results"
                )
            : text;
    }
}

/// <summary>
/// Takes what is new in files and folders of results of any tool into a history. A result is known by its content, what was measured when, where and how, and never by its
/// file's name or time: a night's folder may be given again and again.
/// </summary>
public static class HistoryIntake
{
    /// <summary>Adds each result that the history does not have. Each file's results are kept before the next file is read.</summary>
    /// <param name="folder">The history's folder; it is made when it is not there.</param>
    /// <param name="paths">Files, and folders with their subfolders.</param>
    /// <param name="keep">Whether to write; false = only say what would be added.</param>
    /// <exception cref="IoBenchException">What <see cref="HistoryFolder.Append"/> throws.</exception>
    public static HistoryAddition Add(string folder, IEnumerable<string> paths, bool keep = true)
    {
        var seen = KnownIn(folder);
        List<IoTestResult> added = [],
            pending = [];
        SortedSet<string> files = new(StringComparer.Ordinal);
        List<IoBenchException> failures = [];
        List<string> notes = [];
        var (known, incomplete) = (0, 0);
        foreach (var item in ResultImport.Read(paths, new ImportOptions { Recurse = true }))
        {
            switch (item)
            {
                case ImportedResult { Result.Status: IoResultStatus.Incomplete }:
                    incomplete++;
                    break;
                case ImportedResult { Result: var result } when seen.Add(Fingerprint(result)):
                    pending.Add(result);
                    break;
                case ImportedResult:
                    known++;
                    break;
                case ImportFailure failure:
                    failures.Add(failure.Error);
                    break;
                case ImportNote note:
                    notes.Add(note.Text);
                    break;
                case ImportedFile:
                    Flush();
                    break;
            }
        }
        Flush();
        return new HistoryAddition(added, known, incomplete, [.. files], failures, notes);

        void Flush()
        {
            if (keep && pending.Count > 0)
                files.UnionWith(HistoryFolder.Append(folder, pending));
            added.AddRange(pending);
            pending.Clear();
        }
    }

    /// <summary>What tells apart the results that a history has.</summary>
    internal static HashSet<string> KnownIn(string folder)
    {
        if (!Directory.Exists(folder))
            return [];
        try
        {
            return [.. ResultHistory.Read(folder).Select(Fingerprint)];
        }
        catch (IoBenchException error) when (error.ErrorId == ErrorIds.NoResultFiles)
        {
            return [];
        }
    }

    /// <summary>The same for two results that are one: the figures and what tells runs with equal figures apart. New properties of later versions are not among them.</summary>
    internal static string Fingerprint(IoTestResult r)
    {
        var text = new StringBuilder();
        foreach (
            var value in (object?[])
                [
                    r.Source,
                    r.ToolVersion,
                    r.Status,
                    r.RunId,
                    r.Label,
                    r.Workload,
                    r.ComputerName,
                    r.StartTime?.UtcTicks,
                    r.Path,
                    r.FileSizeMB,
                    r.ThreadCount,
                    r.OutstandingIO,
                    r.BlockSizeKB,
                    r.Operation,
                    r.WritePercent,
                    r.AccessPattern,
                    r.Buffering,
                    r.TargetIops,
                    r.Repeat,
                    r.DurationSeconds,
                    r.IOCount,
                    r.ByteCount,
                    r.IOPS,
                    r.BandwidthMBps,
                    r.ReadIOPS,
                    r.WriteIOPS,
                    r.ReadMBps,
                    r.WriteMBps,
                    r.AverageLatencyMs,
                    r.MinLatencyMs,
                    r.MaxLatencyMs,
                    r.LatencyStdDevMs,
                    r.P50Ms,
                    r.P99Ms,
                    r.ReadAverageLatencyMs,
                    r.WriteAverageLatencyMs,
                    r.CpuPercent,
                    r.ErrorMessage,
                ]
        )
            text.Append(Convert.ToString(value, CultureInfo.InvariantCulture)).Append('\0');
        return Convert.ToHexString(CryptoLibrary.Sha256(Encoding.UTF8.GetBytes(text.ToString())));
    }
}
