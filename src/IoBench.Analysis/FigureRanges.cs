using System.Globalization;
using System.Text;
using System.Text.RegularExpressions;

namespace IoBench.Analysis;

/// <summary>
/// Sentences that differ in their figures only, as one, whatever their words are (those of other tools, and of results that were saved, are texts and nothing else): <c>IOPS vary by 0.31 to 0.6 of their mean</c>. A figure that names something (a line, a processor, a
/// part of a path) is no quantity: the first one stays. So does the first sentence, where it has a range of its own already.
/// </summary>
/// <param name="first">The first sentence.</param>
internal sealed partial class FigureRanges(string first)
{
    // Made for the second sentence: most kinds of warnings come once.
    private Figure[]? _figures;
    private bool _isFirstKept;

    /// <summary>A figure differs from sentence to sentence.</summary>
    public bool Differ => !_isFirstKept && _figures is not null && _figures.Any(figure => figure.Differs);

    /// <summary>A sentence without its figures: equal for those that differ in nothing else.</summary>
    public static string WithoutFigures(string sentence) => AnyFigure().Replace(sentence, _ => "#");

    /// <summary>Takes in a further sentence.</summary>
    public void Add(string sentence)
    {
        if (_isFirstKept || string.Equals(sentence, first, StringComparison.Ordinal))
            return;
        _figures ??= [.. Figure.Of(first)];
        // Paths differ too, and their figures are not the sentence's.
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

    /// <summary>The first sentence with <c>lowest to highest</c> for each figure that differs.</summary>
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

    // "2 to 4 s" would become "2 to 3 to 4 to 6 s".
    private bool IsInRange(Figure figure) =>
        RangeBefore().IsMatch(first[..figure.Start])
        || first.AsSpan(figure.Start + figure.Length).StartsWith(" to ", StringComparison.Ordinal);

    // Also those within words and paths: a sentence is compared by all of them.
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

        // Sentences are written with invariant figures; one that is none, such as an address, is no quantity either.
        private static double Value(string figure) =>
            double.TryParse(figure, NumberStyles.Number, CultureInfo.InvariantCulture, out var value) ? value : double.NaN;
    }
}
