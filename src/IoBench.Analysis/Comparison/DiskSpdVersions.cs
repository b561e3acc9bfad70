namespace IoBench.Analysis.Comparison;

/// <summary>
/// Results of DiskSpd 2.3 beside older ones: since 2.3 each buffer lies on a boundary of its own and threads take P-cores first, unless
/// <c>-bsn</c> and <c>-aup</c> say otherwise. Its authors advise new baselines.
/// </summary>
internal static class DiskSpdVersions
{
    private static readonly Version s_changed = new(2, 3);

    /// <summary>What makes two results incomparable without care; null where nothing does, or a version is not known.</summary>
    internal static string? Difference(IoTestResult a, IoTestResult b)
    {
        if (IsChanged(a) is not { } changedA || IsChanged(b) is not { } changedB || changedA == changedB)
            return null;
        var (changed, other) = changedA ? (a, b) : (b, a);
        string?[] reasons =
        [
            SeparatesBuffers(changed) ? "puts each buffer on a boundary of its own" : null,
            OrdersCores(changed, other) ? "binds threads to P-cores first" : null,
        ];
        var what = string.Join(" and ", reasons.OfType<string>());
        return what.Length == 0 ? null : $"DiskSpd 2.3 {what}: its results are not comparable with those of older versions without care";
    }

    /// <summary>Whether a fact of the host is there on one side alone because only DiskSpd 2.3 prints it: the host is the same.</summary>
    internal static bool IsNewFact(string name, IoTestResult a, IoTestResult b) =>
        (name is "processor name" or "page size" || name.StartsWith("cache L", StringComparison.Ordinal))
        && a.Host.ContainsKey(name) != b.Host.ContainsKey(name);

    /// <summary>All of a result that <see cref="Difference"/> looks at but its tool and version.</summary>
    internal static object Circumstances(IoTestResult r) =>
        (
            r.Specification?.Origin().DiskSpd?.Version23?.SeparatesBuffers,
            r.Specification?.Origin().DiskSpd?.Version23?.CoreOrder,
            r.Specification?.AffinityMode,
            r.Host.GetValueOrDefault("heterogeneous cores")
        );

    /// <summary>One finding for all the patterns of a comparison that mix the versions; none where none does.</summary>
    internal static IEnumerable<Finding> Find(IReadOnlyList<ComparisonRow> rows)
    {
        var mixed = rows.Select(row =>
                (
                    row.IOPattern,
                    Text: row.BaselineResults.SelectMany(a => row.Results.Select(b => Difference(a, b)))
                        .FirstOrDefault(text => text is not null)
                )
            )
            .Where(row => row.Text is not null)
            .ToList();
        if (mixed.Count == 0)
            yield break;
        yield return new()
        {
            Code = FindingCodes.ComparisonDiskSpdVersions,
            Subject = "DiskSpd 2.3",
            What = mixed[0].Text!,
            Severity = FindingSeverity.Watch,
            Evidence = [new("Patterns", mixed.Count)],
            WhatToDo = "Compare runs of one version, or run 2.3 with -bsn -aup, which does both as older versions did",
        };
    }

    private static bool SeparatesBuffers(IoTestResult result) =>
        result.Specification?.Origin().DiskSpd?.Version23 is not { SeparatesBuffers: false };

    /// <summary>No difference where all cores are alike, or threads are not bound.</summary>
    private static bool OrdersCores(IoTestResult changed, IoTestResult other) =>
        changed.Specification is not { AffinityMode: IoAffinityMode.Off }
        && changed.Specification?.Origin().DiskSpd?.Version23 is not { CoreOrder: DiskSpdCoreOrder.Unordered }
        && changed.Host.GetValueOrDefault("heterogeneous cores") != "n"
        && other.Host.GetValueOrDefault("heterogeneous cores") != "n";

    /// <summary>Whether it is of 2.3 or later; null for another tool's, and where its text leaves both open.</summary>
    private static bool? IsChanged(IoTestResult result)
    {
        if (ResultFormats.ToolOf(result.Source) != "DiskSpd" || result.ToolVersion is not { } version)
            return null;
        // "2.0.21 to 2.2", "2.1 or 2.2", "2.2 or later": the last one decides.
        var last = version[(version.LastIndexOf(' ') + 1)..];
        if (
            !Version.TryParse(Digits(version), out var first)
            || (last != version && !Version.TryParse(Digits(last), out _) && last != "earlier")
        )
            return null;
        var highest = Version.TryParse(Digits(last), out var known) ? known : first;
        return first >= s_changed ? true
            : highest < s_changed ? false
            : null;
    }

    /// <summary>Of 2.0.21a only the digits that a version may have.</summary>
    internal static string Digits(string? version) =>
        string.Concat((version ?? "").TakeWhile(c => char.IsAsciiDigit(c) || c == '.')).TrimEnd('.');
}
