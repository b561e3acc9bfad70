using System.Globalization;
using System.Text;
using System.Text.RegularExpressions;
using IoBench.Engine;

namespace IoBench.Analysis;

/// <summary>
/// Warnings of one kind. Texts that differ only in their numbers become one with ranges, as in <c>IOPS vary by 0.31 to 0.6 of their
/// mean</c>.
/// A number that identifies something (a line, a CPU, a part of a path) is not a quantity, so the first one remains.
/// </summary>
internal sealed partial class WarningGroup(IoWarning first)
{
    private readonly HashSet<string> _seen = new(StringComparer.Ordinal);
    private IoTestResult? _last;

    // Created for the second text only, because most kinds of warnings occur once.
    private SentenceNumber[]? _figures;
    private bool _isFirstKept;

    public IoWarning Warning => HasRanges ? new IoWarning(first.Code, IoMessage.FromTemplate(MergeTexts())) : first;

    public int Count { get; private set; }

    public List<string> Names { get; } = [];

    private bool HasRanges => !_isFirstKept && _figures is not null && _figures.Any(figure => figure.IsRange);

    public static string RemoveNumbers(string sentence) => GetNumberRegex().Replace(sentence, _ => "#");

    // A result with several warnings of one kind counts once.
    public void Add(IoWarning given, IoTestResult result)
    {
        AddText(given.Template);
        if (ReferenceEquals(result, _last))
            return;
        _last = result;
        Count++;
        if ((result.Workload ?? result.IOPattern) is { Length: > 0 } name && _seen.Add(name))
            Names.Add(name);
    }

    private void AddText(string sentence)
    {
        if (_isFirstKept || string.Equals(sentence, first.Template, StringComparison.Ordinal))
            return;
        _figures ??= [.. SentenceNumber.FindAll(first.Template)];
        // The texts can also differ in paths. Then, their numbers are not comparable.
        if (!string.Equals(RemoveNumbers(first.Template), RemoveNumbers(sentence), StringComparison.Ordinal))
        {
            _isFirstKept = true;
            return;
        }
        var index = 0;
        foreach (var other in SentenceNumber.FindAll(sentence))
            _figures[index++].IncludeValue(other);
        _isFirstKept = _figures.Any(figure => figure.IsRange && IsPartOfRange(figure));
    }

    private string MergeTexts()
    {
        var text = new StringBuilder(first.Template.Length + 16);
        var end = 0;
        foreach (var figure in _figures!)
        {
            text.Append(first.Template, end, figure.Start - end).Append(figure);
            end = figure.Start + figure.Length;
        }
        return text.Append(first.Template, end, first.Template.Length - end).ToString();
    }

    // Merging "2 to 4 s" would produce "2 to 3 to 4 to 6 s".
    private bool IsPartOfRange(SentenceNumber figure) =>
        GetRangeBeforeRegex().IsMatch(first.Template[..figure.Start])
        || first.Template.AsSpan(figure.Start + figure.Length).StartsWith(" to ", StringComparison.Ordinal);

    // Includes numbers within words and paths, because sentences are compared without any of them.
    [GeneratedRegex(@"\d+([.,]\d+)*")]
    private static partial Regex GetNumberRegex();

    [GeneratedRegex(@"(\d to|\bbetween) $")]
    private static partial Regex GetRangeBeforeRegex();

    [GeneratedRegex(@"(?:^|[\s(])(?<!\b(?:[Ll]ine|processor) )$")]
    private static partial Regex GetQuantityBeforeRegex();

    [GeneratedRegex(@"^(?:$|[\s)%;:]|[.,](?:\s|$))")]
    private static partial Regex GetQuantityAfterRegex();

    private sealed class SentenceNumber
    {
        private readonly bool _isQuantity;
        private string _lowest;
        private string _highest;

        private SentenceNumber(string sentence, Match match)
        {
            Start = match.Index;
            Length = match.Length;
            _lowest = match.Value;
            _highest = match.Value;
            _isQuantity =
                GetQuantityBeforeRegex().IsMatch(sentence[..Start]) && GetQuantityAfterRegex().IsMatch(sentence[(Start + Length)..]);
        }

        public int Start { get; }

        public int Length { get; }

        public bool IsRange => !string.Equals(_lowest, _highest, StringComparison.Ordinal);

        public static IEnumerable<SentenceNumber> FindAll(string sentence) =>
            GetNumberRegex().Matches(sentence).Select(match => new SentenceNumber(sentence, match));

        public void IncludeValue(SentenceNumber other)
        {
            if (!_isQuantity)
                return;
            if (ParseValue(other._lowest) < ParseValue(_lowest))
                _lowest = other._lowest;
            if (ParseValue(other._highest) > ParseValue(_highest))
                _highest = other._highest;
        }

        public override string ToString() => IsRange ? $"{_lowest} to {_highest}" : _lowest;

        // IoBench writes numbers in the invariant culture. Other numbers, such as addresses, are not quantities.
        private static double ParseValue(string figure) =>
            double.TryParse(figure, NumberStyles.Number, CultureInfo.InvariantCulture, out var value) ? value : double.NaN;
    }
}
