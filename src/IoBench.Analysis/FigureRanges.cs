using System.Globalization;
using System.Text;
using System.Text.RegularExpressions;

namespace IoBench.Analysis;

/// <summary>
/// Merges sentences that differ only in their numbers into one sentence with ranges, as in <c>IOPS vary by 0.31 to 0.6 of their mean</c>.
/// It works on plain text, because
/// warnings of other tools and of saved results are only text. A number that identifies something (a line, a CPU, a part of a path) is not
/// a quantity, so the first one
/// remains. The first sentence remains unchanged if it already contains a range.
/// </summary>
internal sealed partial class FigureRanges(string first)
{
    // Created for the second sentence only, because most kinds of warnings occur once.
    private Figure[]? _figures;
    private bool _isFirstKept;

    public bool Differ => !_isFirstKept && _figures is not null && _figures.Any(figure => figure.Differs);

    public static string WithoutFigures(string sentence) => AnyFigure().Replace(sentence, _ => "#");

    public void Add(string sentence)
    {
        if (_isFirstKept || string.Equals(sentence, first, StringComparison.Ordinal))
            return;
        _figures ??= [.. Figure.Of(first)];
        // The sentences can also differ in paths. Then, their numbers are not comparable.
        if (!string.Equals(WithoutFigures(first), WithoutFigures(sentence), StringComparison.Ordinal))
        {
            _isFirstKept = true;
            return;
        }
        var index = 0;
        foreach (var other in Figure.Of(sentence))
            _figures[index++].Take(other);
        _isFirstKept = _figures.Any(figure => figure.Differs && IsInRange(figure));
    }

    public override string ToString()
    {
        if (!Differ)
            return first;
        var text = new StringBuilder(first.Length + 16);
        var end = 0;
        foreach (var figure in _figures!)
        {
            text.Append(first, end, figure.Start - end).Append(figure);
            end = figure.Start + figure.Length;
        }
        return text.Append(first, end, first.Length - end).ToString();
    }

    // Merging "2 to 4 s" would produce "2 to 3 to 4 to 6 s".
    private bool IsInRange(Figure figure) =>
        RangeBefore().IsMatch(first[..figure.Start])
        || first.AsSpan(figure.Start + figure.Length).StartsWith(" to ", StringComparison.Ordinal);

    // Includes numbers within words and paths, because sentences are compared without any of them.
    [GeneratedRegex(@"\d+([.,]\d+)*")]
    private static partial Regex AnyFigure();

    [GeneratedRegex(@"(\d to|\bbetween) $")]
    private static partial Regex RangeBefore();

    [GeneratedRegex(@"(?:^|[\s(])(?<!\b(?:[Ll]ine|processor) )$")]
    private static partial Regex QuantityBefore();

    [GeneratedRegex(@"^(?:$|[\s)%;:]|[.,](?:\s|$))")]
    private static partial Regex QuantityAfter();

    private sealed class Figure
    {
        private readonly bool _isQuantity;
        private string _lowest;
        private string _highest;

        private Figure(string sentence, Match match)
        {
            (Start, Length) = (match.Index, match.Length);
            _lowest = _highest = match.Value;
            _isQuantity = QuantityBefore().IsMatch(sentence[..Start]) && QuantityAfter().IsMatch(sentence[(Start + Length)..]);
        }

        public int Start { get; }

        public int Length { get; }

        public bool Differs => !string.Equals(_lowest, _highest, StringComparison.Ordinal);

        public static IEnumerable<Figure> Of(string sentence) => AnyFigure().Matches(sentence).Select(match => new Figure(sentence, match));

        public void Take(Figure other)
        {
            if (!_isQuantity)
                return;
            if (Value(other._lowest) < Value(_lowest))
                _lowest = other._lowest;
            if (Value(other._highest) > Value(_highest))
                _highest = other._highest;
        }

        public override string ToString() => Differs ? $"{_lowest} to {_highest}" : _lowest;

        // IoBench writes numbers in the invariant culture. Other numbers, such as addresses, are not quantities.
        private static double Value(string figure) =>
            double.TryParse(figure, NumberStyles.Number, CultureInfo.InvariantCulture, out var value) ? value : double.NaN;
    }
}
