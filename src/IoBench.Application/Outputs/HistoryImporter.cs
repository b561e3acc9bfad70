using System.Globalization;
using System.Text;
using IoBench.Engine;

namespace IoBench.Application;

/// <param name="Known">Number of results that the history already contained, or that occurred twice.</param>
/// <param name="Incomplete">Number of runs that ended before their results. They are added once they are complete.</param>
/// <param name="Files">Files of the history that were written.</param>
public sealed record HistoryImportResult(
    IReadOnlyList<IoTestResult> Added,
    int Known,
    int Incomplete,
    IReadOnlyList<string> Files,
    IReadOnlyList<IoBenchException> Failures,
    IReadOnlyList<string> Notes
)
{
    /// <summary>Returns a sentence such as <c>3 results added; 12 were there already</c>.</summary>
    public override string ToString()
    {
        var text = NumberFormat.Pluralize(Added.Count, "result") + " added";
        if (Files.Count > 0)
            text += $" to {string.Join(", ", Files)}";
        if (Known > 0)
            text += string.Create(CultureInfo.InvariantCulture, $"; {Known} {(Known == 1 ? "was" : "were")} already in the history");
        return Incomplete > 0
            ? text
                + string.Create(
                    CultureInfo.InvariantCulture,
                    $"; {Incomplete} ignored, because {(Incomplete == 1 ? "its" : "their")} output ends before the results"
                )
            : text;
    }
}

/// <summary>Adds new results from files and folders of any tool to a history. A result is identified by its content, not by the name or
/// time of its file, so the same folder can be imported repeatedly.</summary>
public static class HistoryImporter
{
    /// <summary>Adds each result that the history does not contain. The results of a file are saved before the next file is read.</summary>
    /// <param name="keep">False to return what would be added without writing.</param>
    public static HistoryImportResult ImportResults(string folder, IEnumerable<string> paths, bool keep = true)
    {
        var history = new HistoryWriter(folder);
        history.Read();
        HashSet<string> met = [];
        List<IoTestResult> added = [],
            pending = [];
        SortedSet<string> files = new(StringComparer.Ordinal);
        List<IoBenchException> failures = [];
        List<string> notes = [];
        var known = 0;
        var incomplete = 0;
        foreach (var item in ResultImporter.Read(paths, new ImportOptions { Recurse = true }))
        {
            switch (item)
            {
                case ImportedResult { Result.Status: IoResultStatus.Incomplete }:
                    incomplete++;
                    break;
                case ImportedResult { Result: var result } when !history.Contains(result) && met.Add(ComputeFingerprint(result)):
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
        return new HistoryImportResult(added, known, incomplete, [.. files], failures, notes);

        void Flush()
        {
            var fresh = (IReadOnlyList<IoTestResult>)[.. pending];
            if (keep && pending.Count > 0)
            {
                (fresh, var written) = history.AppendNew(pending);
                files.UnionWith(written);
            }
            added.AddRange(fresh);
            known += pending.Count - fresh.Count;
            pending.Clear();
        }
    }

    /// <summary>Do not add properties of later versions: a file that is imported again would no longer equal the stored result.</summary>
    internal static string ComputeFingerprint(IoTestResult r)
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
        return Convert.ToHexString(CryptoLibrary.ComputeSha256(Encoding.UTF8.GetBytes(text.ToString())));
    }
}
