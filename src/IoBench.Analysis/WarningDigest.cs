using System.Text.RegularExpressions;

namespace IoBench.Analysis;

/// <summary>A warning of results, listed once.</summary>
/// <param name="Warning">It, with the range of each figure that differs from result to result.</param>
/// <param name="Tests">The tests that have it, by workload or pattern; empty when all of them do.</param>
/// <param name="Count">How many results have it.</param>
public sealed record DigestWarning(IoWarning Warning, IReadOnlyList<string> Tests, int Count)
{
    private const int MaxNames = 3;

    /// <summary>Who has it, in words: <c>4 tests: oltp, checkpoint, tempdb and 1 more</c>, <c>oltp</c>, <c>all 9 tests</c>; empty when it is about the only one.</summary>
    public string Names
    {
        get
        {
            if (Tests.Count == 0)
                return Count switch
                {
                    > 2 => $"all {Count} tests",
                    2 => "both tests",
                    _ => "",
                };
            var names = NameList.Of(Tests, MaxNames);
            return Count > 1 ? $"{Count} tests: {names}" : names;
        }
    }

    /// <summary>The warning with its tests: <c>2 tests: oltp, checkpoint: IOPS were not steady …</c>.</summary>
    public override string ToString() => Render(TextSpelling.Neutral);

    /// <summary>The same, with the options in it still to be spelled.</summary>
    public IoText Text => Names.Length == 0 ? Warning.Text : $"{Names}: {Warning.Text}";

    /// <summary>The same as a front writes it.</summary>
    public string Render(TextSpelling spelling) => Text.Render(spelling);
}

/// <summary>The warnings of a suite: each kind once, also when its figures or its paths differ from test to test.</summary>
public static partial class WarningDigest
{
    /// <summary>Each kind of warning in the order they come.</summary>
    public static IReadOnlyList<DigestWarning> Of(IReadOnlyList<IoTestResult> results)
    {
        ArgumentNullException.ThrowIfNull(results);
        var areOfManyFiles = results.Select(r => r.SourceFile).OfType<string>().Distinct(StringComparer.Ordinal).Skip(1).Any();
        var kinds = new OrderedKinds();
        foreach (var result in results)
        {
            if (!result.HasWarnings())
                continue;
            foreach (var given in result.GetWarnings())
            {
                var warning = areOfManyFiles ? InFile(given, result.SourceFile) : given;
                kinds.Add(KindOf(result, warning), warning, result);
            }
        }
        return
        [
            .. kinds.InOrder.Select(kind => new DigestWarning(kind.Warning, kind.Count == results.Count ? [] : kind.Names, kind.Count)),
        ];
    }

    // In the order in which they come: a hundred thousand results of a few kinds need the room of the few.
    private sealed class OrderedKinds
    {
        private readonly Dictionary<string, Entry> _kinds = new(StringComparer.Ordinal);

        public List<Entry> InOrder { get; } = [];

        public void Add(string kind, IoWarning warning, IoTestResult result)
        {
            if (!_kinds.TryGetValue(kind, out var entry))
            {
                _kinds.Add(kind, entry = new(warning));
                InOrder.Add(entry);
            }
            entry.Add(warning, result);
        }
    }

    private sealed class Entry(IoWarning warning)
    {
        private readonly HashSet<string> _seen = new(StringComparer.Ordinal);
        private readonly FigureRanges _ranges = new(warning.Template);
        private IoTestResult? _last;

        public IoWarning Warning => _ranges.Differ ? new IoWarning(warning.Code, IoText.FromTemplate(_ranges.ToString())) : warning;

        public int Count { get; private set; }

        public List<string> Names { get; } = [];

        // A result that has it twice counts once.
        public void Add(IoWarning given, IoTestResult result)
        {
            _ranges.Add(given.Template);
            if (ReferenceEquals(result, _last))
                return;
            _last = result;
            Count++;
            if ((result.Workload ?? result.IOPattern) is { Length: > 0 } name && _seen.Add(name))
                Names.Add(name);
        }
    }

    /// <summary>A warning without its figures: equal for equal kinds.</summary>
    public static string Kind(string warning) => FigureRanges.WithoutFigures(warning);

    // Line 3 of which file? Warnings of readers are texts: CSV, and results that were saved before, have nothing else of them.
    private static IoWarning InFile(IoWarning warning, string? file) =>
        file is not null && Line().Match(warning.Template) is { Success: true } line
            ? new IoWarning(
                warning.Code,
                IoText.FromTemplate($"{IoText.FromString(Path.GetFileName(file)).Template} line {warning.Template[line.Length..]}")
            )
            : warning;

    // The files differ from test to test as figures do.
    private static string KindOf(IoTestResult result, IoWarning warning)
    {
        var text = warning.ToString();
        var paths = (result.Path ?? "").Split("; ", StringSplitOptions.RemoveEmptyEntries);
        foreach (
            var path in (result.SourceFile is { } source ? paths.Append(Path.GetFileName(source)) : paths)
                .Where(path => path.Length > 0)
                .OrderByDescending(path => path.Length)
        )
            text = text.Replace(path, "#", StringComparison.Ordinal);
        return Kind(text);
    }

    [GeneratedRegex("^[Ll]ine (?=[0-9])")]
    private static partial Regex Line();
}
