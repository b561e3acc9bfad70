using IoBench.Engine;

namespace IoBench.Application;

/// <summary>
/// Adds results to a history as they arrive. As in <see cref="HistoryImporter"/>, a result that the history contains is not added again.
/// </summary>
/// <param name="folder">Folder of the history; created if it does not exist.</param>
public sealed class HistoryWriter(string folder)
{
    private HashSet<string>? _fingerprints;

    /// <summary>Number of results that the history already contained.</summary>
    public int Known { get; private set; }

    /// <summary>
    /// Reason why the contents of the history could not be read, so that a result can be added twice; null if they were read.
    /// </summary>
    public IoBenchException? Unread { get; private set; }

    /// <summary>Adds the results that the history does not contain.</summary>
    /// <exception cref="IoBenchException">The errors of <see cref="HistoryWriter.AppendResults"/>.</exception>
    public void Add(IReadOnlyList<IoTestResult> results)
    {
        _fingerprints ??= ReadFingerprints();
        var marks = results.Select(HistoryImporter.ComputeFingerprint).ToList();
        var added = new HashSet<string>();
        var fresh = results.Where((_, at) => !_fingerprints.Contains(marks[at]) && added.Add(marks[at])).ToList();
        Known += results.Count - fresh.Count;
        if (fresh.Count == 0)
            return;
        HistoryWriter.AppendResults(folder, fresh);
        // Only after the write, so that results that could not be written can be added later.
        _fingerprints.UnionWith(added);
    }

    private HashSet<string> ReadFingerprints()
    {
        try
        {
            return HistoryImporter.ReadFingerprints(folder);
        }
        catch (IoBenchException error)
        {
            // A damaged file in the folder must not prevent saving a new result.
            Unread = error;
            return [];
        }
    }
}
