using System.Collections;
using IoBench.Engine;

namespace IoBench.Application;

/// <summary>Option values that the user specified, from any source. A blank value counts as not specified.</summary>
public sealed class OptionValues
{
    public const string UnknownCode = "IoBench.UnknownSetting";

    private readonly IReadOnlyList<OptionRow> _rows;
    private readonly Func<string, string>? _fullPath;
    private readonly Dictionary<string, IReadOnlyList<object>> _values = [];
    private readonly List<IoWarning> _warnings = [];
    private readonly HashSet<string> _unknown = new(StringComparer.OrdinalIgnoreCase);

    public OptionValues(IReadOnlyList<OptionRow> rows, Func<string, string>? fullPath = null)
    {
        _rows = rows;
        _fullPath = fullPath;
    }

    /// <summary>Options that a column can set; by default all columns.</summary>
    public IReadOnlyList<OptionRow> Columns { get; init; } = OptionTables.Columns;

    /// <summary>Warnings about unknown names, with suggestions, and about options that are not among <see cref="Columns"/>.</summary>
    public IReadOnlyList<IoWarning> Warnings => _warnings;

    public OptionRow? Find(string name) => _rows.FirstOrDefault(row => row.IsNamed(name));

    /// <summary>Sets an option by name and replaces an earlier value. An unknown name becomes a warning.</summary>
    /// <param name="value">Text, a typed value, or a list of either. If the option takes several values, commas separate text, unless
    /// <see cref="OptionRow.KeepsCommas"/> is true. Null and blank count as not specified.</param>
    /// <returns>True if the option exists.</returns>
    public bool Set(string name, object? value)
    {
        if (Find(name) is not { } row)
        {
            AddUnknownWarning(name, _rows);
            return false;
        }
        Set(row, value);
        return true;
    }

    /// <summary>Sets one of <see cref="Columns"/>. A value that is already set takes precedence. An unknown name becomes a
    /// warning.</summary>
    public void SetColumn(string name, object? value)
    {
        var row = Columns.FirstOrDefault(column => column.IsNamed(name));
        if (row is null && OptionTables.FindColumn(name) is { } other)
            AddNotAcceptedWarning(name, isGiven: SplitValues(other, value).Any());
        else if (row is null)
            AddUnknownWarning(name, Columns);
        else if (!_values.ContainsKey(row.Name))
            SetUnbounded(row, value);
    }

    public void Set(OptionRow row, object? value)
    {
        SetUnbounded(row, value);
        foreach (var read in _values.GetValueOrDefault(row.Name) ?? [])
            row.CheckRange(read);
    }

    // No range check: an object property can be 0 for "none". An impossible value is refused with the whole test.
    private void SetUnbounded(OptionRow row, object? value)
    {
        var parts = SplitValues(row, value).ToList();
        if (parts.Count == 0)
            return;
        if (parts.Count > 1 && row.Count == OptionValueCount.One)
            throw IoBenchException.Usage(
                "IoBench.OneValue",
                $"{row.Option}: {parts.Count} values were specified.",
                advice: "Specify only one value."
            );
        _values[row.Name] = [.. parts.Select(part => ParseValue(row, part))];
    }

    /// <summary>Options that were specified.</summary>
    public IEnumerable<OptionRow> Given => _rows.Where(row => _values.ContainsKey(row.Name));

    public bool Has(OptionName option) => _values.ContainsKey(option.Name);

    /// <summary>Returns all values of an option, converted to the engine's type; empty if it was not specified.</summary>
    public IReadOnlyList<T> GetList<T>(OptionName option) => _values.TryGetValue(option.Name, out var values) ? [.. values.Cast<T>()] : [];

    /// <summary>Returns the value of an option, converted to the engine's type; null if it was not specified.</summary>
    public T? GetValue<T>(OptionName option)
        where T : struct => _values.TryGetValue(option.Name, out var values) ? (T)values[0] : null;

    public string? GetText(OptionName option) => _values.TryGetValue(option.Name, out var values) ? (string)values[0] : null;

    public bool IsOn(OptionName option) => GetValue<bool>(option) == true;

    /// <summary>Applies all values to a request, in the order of the table.</summary>
    public void ApplyTo(PlanRequest request)
    {
        foreach (var row in _rows)
        {
            if (!_values.TryGetValue(row.Name, out var values))
                continue;
            if (row.SetRequest is { } set)
                set(request, values);
            else if (row.IsOfTest)
                request.Settings.Add((row, row.Count == OptionValueCount.Whole ? [values] : values));
            request.Suite.HasExplicitFileSize |= row.Name == OptionNames.FileSize.Name;
        }
    }

    public void ApplyTo(IoTestSpecification test)
    {
        foreach (var row in _rows.Where(row => row.IsOfTest && _values.ContainsKey(row.Name)).OrderBy(row => row.Order))
            row.Apply(test, row.Count == OptionValueCount.Whole ? _values[row.Name] : _values[row.Name][0]);
    }

    /// <summary>Creates a text that is equal for equal values. Pipeline objects with equal signatures belong to one request.</summary>
    public string CreateSignature() =>
        string.Join(
            '\n',
            _values
                .OrderBy(pair => pair.Key, StringComparer.Ordinal)
                .Select(pair =>
                    $"{pair.Key}={string.Join('|', pair.Value.Select(value => OptionTables.Find(pair.Key)?.Kind.FormatValue(value)))}"
                )
        );

    private static IEnumerable<object> SplitValues(OptionRow row, object? value)
    {
        if (value is null or DBNull)
            yield break;
        if (value is string text)
        {
            var isList = !row.KeepsCommas && (row.Count != OptionValueCount.One || row.Kind.IsSplitAtCommas);
            var parts = !isList ? [text.Trim()] : text.Split(',', StringSplitOptions.TrimEntries | StringSplitOptions.RemoveEmptyEntries);
            foreach (var part in parts.Where(part => part.Length > 0))
                yield return part;
        }
        else if (value is IEnumerable list)
        {
            // A list of processors, or of sizes with percentages, is one value.
            var items = list.Cast<object?>().SelectMany(item => SplitValues(row, item)).ToList();
            if ((row.Kind == OptionKind.Affinity || row.Kind == OptionKind.BlockMix) && items.Count > 1)
                yield return string.Join(',', items.Select(item => OptionKind.ToText(item).Trim(',')));
            else
                foreach (var item in items)
                    yield return item;
        }
        else
        {
            yield return value;
        }
    }

    private object ParseValue(OptionRow row, object value)
    {
        try
        {
            return row.Kind.ParseValue(value, _fullPath);
        }
        catch (IoBenchException error)
        {
            throw error.WithSubject(row.Option);
        }
        catch (Exception error) when (error is FormatException or InvalidCastException or OverflowException)
        {
            throw IoBenchException.Usage(
                "IoBench.InvalidValue",
                $"{row.Option}: '{OptionKind.ToText(value)}' is not {NumberFormat.WithArticle(row.Kind.Name)}."
            );
        }
    }

    private void AddNotAcceptedWarning(string name, bool isGiven)
    {
        if (isGiven && _unknown.Add(name))
            _warnings.Add(
                new IoWarning(UnknownCode, $"IoBench ignores {name}, because this command does not accept this option as a table column.")
            );
    }

    private static List<string> FindSuggestions(string name, IReadOnlyList<OptionRow> rows)
    {
        var names = rows.SelectMany(row =>
                row.Names.Select(known => (Known: known, Setting: known))
                    .Concat(
                        row.ProgramAliases.Prepend(row.ProgramName)
                            .Where(alias => alias.StartsWith("--", StringComparison.Ordinal))
                            .Select(alias => (Known: alias[2..], Setting: row.Name))
                    )
            )
            .ToList();
        if (names.Find(pair => pair.Known.Equals(name, StringComparison.OrdinalIgnoreCase)).Setting is { } same)
            return [same];
        return
        [
            .. Suggestions
                .FindNearest(name, names.Select(pair => pair.Known).Distinct(StringComparer.OrdinalIgnoreCase))
                .Select(near => names.Find(pair => pair.Known.Equals(near, StringComparison.OrdinalIgnoreCase)).Setting)
                .Distinct(),
        ];
    }

    private void AddUnknownWarning(string name, IReadOnlyList<OptionRow> rows)
    {
        if (string.IsNullOrWhiteSpace(name) || !_unknown.Add(name))
            return;
        var near = FindSuggestions(name, rows);
        _warnings.Add(
            new IoWarning(
                UnknownCode,
                near.Count > 0
                    ? (IoMessage)
                        $"IoBench ignores {name}, because a test has no setting with this name. Did you mean {string.Join(" or ", near)}?"
                    : $"IoBench ignores {name}, because a test has no setting with this name."
            )
        );
    }
}
