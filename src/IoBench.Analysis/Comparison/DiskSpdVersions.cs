using IoBench.Engine;
using IoBench.Formats;

namespace IoBench.Analysis;

internal static class ToolDifferences
{
    private static readonly Version s_diskSpd23 = new(2, 3);

    /// <summary>
    /// Describes why a result of DiskSpd 2.3 and one of an older version are not comparable. DiskSpd 2.3 aligns each buffer separately and
    /// binds threads to P-cores first, unless <c>-bsn</c> and <c>-aup</c> are used; its authors recommend new baselines. Null if the
    /// results are comparable or a version is unknown.
    /// </summary>
    internal static string? FindDiskSpdDifference(IoTestResult a, IoTestResult b)
    {
        if (IsDiskSpd23OrLater(a) is not { } changedA || IsDiskSpd23OrLater(b) is not { } changedB || changedA == changedB)
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

    internal static bool IsDiskSpd23Fact(string name, IoTestResult a, IoTestResult b) =>
        (name is "processor name" or "page size" || name.StartsWith("cache L", StringComparison.Ordinal))
        && a.Host.ContainsKey(name) != b.Host.ContainsKey(name);

    internal static object GetDiskSpdSettings(IoTestResult r) =>
        (
            r.Specification?.GetOrAddOrigin().DiskSpd?.Version23?.SeparatesBuffers,
            r.Specification?.GetOrAddOrigin().DiskSpd?.Version23?.CoreOrder,
            r.Specification?.AffinityMode,
            r.Host.GetValueOrDefault("heterogeneous cores")
        );

    internal static IEnumerable<Finding> CreateDiskSpdFindings(IReadOnlyList<ComparisonRow> rows)
    {
        var mixed = rows.Select(row =>
                (
                    row.IOPattern,
                    Text: row.BaselineResults.SelectMany(a => row.Results.Select(b => FindDiskSpdDifference(a, b)))
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
        result.Specification?.GetOrAddOrigin().DiskSpd?.Version23 is not { SeparatesBuffers: false };

    /// <summary>Makes no difference if all cores are equal or threads are not bound.</summary>
    private static bool OrdersCores(IoTestResult changed, IoTestResult other) =>
        changed.Specification is not { AffinityMode: IoAffinityMode.Off }
        && changed.Specification?.GetOrAddOrigin().DiskSpd?.Version23 is not { CoreOrder: DiskSpdCoreOrder.Unordered }
        && changed.Host.GetValueOrDefault("heterogeneous cores") != "n"
        && other.Host.GetValueOrDefault("heterogeneous cores") != "n";

    private static bool? IsDiskSpd23OrLater(IoTestResult result)
    {
        if (ResultFormats.GetToolName(result.Source) != "DiskSpd" || result.ToolVersion is not { } version)
            return null;
        // In "2.0.21 to 2.2", "2.1 or 2.2", and "2.2 or later", the last word is decisive.
        var last = version[(version.LastIndexOf(' ') + 1)..];
        if (
            !Version.TryParse(GetVersionDigits(version), out var first)
            || (last != version && !Version.TryParse(GetVersionDigits(last), out _) && last != "earlier")
        )
            return null;
        var highest = Version.TryParse(GetVersionDigits(last), out var known) ? known : first;
        return first >= s_diskSpd23 ? true
            : highest < s_diskSpd23 ? false
            : null;
    }

    internal static string GetVersionDigits(string? version) =>
        string.Concat((version ?? "").TakeWhile(c => char.IsAsciiDigit(c) || c == '.')).TrimEnd('.');
}
