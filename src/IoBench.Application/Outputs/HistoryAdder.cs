namespace IoBench.Application.Outputs;

/// <summary>Adds results to a history as they come, each once: by the rule of <see cref="HistoryIntake"/>, one that the history has is not added again.</summary>
/// <param name="folder">The history's folder; it is made when it is not there.</param>
public sealed class HistoryAdder(string folder)
{
    private HashSet<string>? _seen;

    /// <summary>Results that the history had already.</summary>
    public int Known { get; private set; }

    /// <summary>Why it is not known what the history has, so that a result may be added again; null = it is.</summary>
    public IoBenchException? Unread { get; private set; }

    /// <summary>Adds those that the history does not have.</summary>
    /// <exception cref="IoBenchException">What <see cref="HistoryFolder.Append"/> throws.</exception>
    public void Add(IReadOnlyList<IoTestResult> results)
    {
        _seen ??= ReadKnown();
        var marks = results.Select(HistoryIntake.Fingerprint).ToList();
        var added = new HashSet<string>();
        var fresh = results.Where((_, at) => !_seen.Contains(marks[at]) && added.Add(marks[at])).ToList();
        Known += results.Count - fresh.Count;
        if (fresh.Count == 0)
            return;
        HistoryFolder.Append(folder, fresh);
        // Only now: what could not be written may come again.
        _seen.UnionWith(added);
    }

    private HashSet<string> ReadKnown()
    {
        try
        {
            return HistoryIntake.KnownIn(folder);
        }
        catch (IoBenchException error)
        {
            // A damaged file beside it must not cost a night its result.
            Unread = error;
            return [];
        }
    }
}
