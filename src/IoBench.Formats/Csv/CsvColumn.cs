using System.Globalization;
using IoBench.Engine;

namespace IoBench.Formats;

internal sealed class CsvColumn
{
    private const string WarningSeparator = " | ";
    private readonly ResultMetric _metric;
    private readonly Action<IoTestResult, object> _set;

    private CsvColumn(ResultMetric metric)
    {
        _metric = metric;
        _set = metric.Set!;
    }

    public static IReadOnlyList<CsvColumn> All { get; } = [.. MetricCatalog.All.Select(metric => new CsvColumn(metric))];

    public string Name => _metric.Name;

    public bool IsText => _metric.IsText;

    public string GetText(IoTestResult result) =>
        _metric.Value(result) switch
        {
            null => "",
            string text => text,
            List<string> warnings => string.Join(WarningSeparator, warnings.Select(w => w.Replace("|", "||", StringComparison.Ordinal))),
            double number => number.ToString("R", CultureInfo.InvariantCulture),
            DateTimeOffset time => time.ToString("O", CultureInfo.InvariantCulture),
            IFormattable other => other.ToString(null, CultureInfo.InvariantCulture),
            var other => other.ToString() ?? "",
        };

    public bool IsDecimal => _metric.ValueType == typeof(double);

    public bool IsTime => _metric.ValueType == typeof(DateTimeOffset);

    public CsvCellStatus TrySet(IoTestResult result, string text, CsvLocale style)
    {
        var cell = CsvCellStatus.Read;
        object? value;
        if (IsDecimal)
        {
            cell = style.Parse(text, out double number);
            value = number;
        }
        else if (IsTime)
        {
            cell = style.Parse(text, out DateTimeOffset time);
            value = time;
        }
        else
        {
            value = ParseValue(_metric.ValueType, text);
            if (value is null)
                cell =
                    _metric.ValueType.IsPrimitive && CsvNumber.FromText(text).Separator != 0
                        ? CsvCellStatus.DoubtfulNumber
                        : CsvCellStatus.Invalid;
        }
        if (cell == CsvCellStatus.Read)
            _set(result, value!);
        return cell;
    }

    private static object? ParseValue(Type type, string text)
    {
        if (type == typeof(string))
            return text;
        if (type == typeof(int))
            return int.TryParse(text, NumberStyles.AllowLeadingSign, CultureInfo.InvariantCulture, out var integer) ? integer : null;
        if (type == typeof(long))
            return long.TryParse(text, NumberStyles.AllowLeadingSign, CultureInfo.InvariantCulture, out var count) ? count : null;
        if (type == typeof(List<string>))
            return SplitWarnings(text);
        return Enum.TryParse(type, text, ignoreCase: true, out var word) && Enum.IsDefined(type, word!) ? word : null;
    }

    /// <summary>Splits at single bars. A bar within a warning is doubled.</summary>
    private static List<string> SplitWarnings(string text)
    {
        var warnings = new List<string>();
        var start = 0;
        for (var i = 0; i < text.Length; i++)
        {
            if (text[i] != '|')
                continue;
            if (i + 1 < text.Length && text[i + 1] == '|')
            {
                i++;
                continue;
            }
            if (i == 0 || text[i - 1] != ' ' || i + 1 >= text.Length || text[i + 1] != ' ')
                continue;
            warnings.Add(text[start..(i - 1)].Replace("||", "|", StringComparison.Ordinal));
            start = i + 2;
        }
        warnings.Add(text[start..].Replace("||", "|", StringComparison.Ordinal));
        return warnings;
    }

    public static string AddFormulaGuard(string text) => NeedsFormulaGuard(text) ? "'" + text : text;

    public static string RemoveFormulaGuard(string text) =>
        text.Length > 1 && text[0] == '\'' && NeedsFormulaGuard(text[1..]) ? text[1..] : text;

    // The apostrophe itself needs a guard too, because text that begins with one would otherwise look guarded.
    private static bool NeedsFormulaGuard(string text) =>
        text.Length > 0 && text[0] is ('=' or '+' or '-' or '@' or '\t' or '\r' or '\n' or '\'');
}
