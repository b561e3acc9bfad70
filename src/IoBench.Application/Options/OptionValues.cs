using System.Collections;

namespace IoBench.Application.Options;

/// <summary>
/// What a user gave of a table of options, by a command line, parameters, the columns of a row or the properties of an object. Blank is not given.
/// </summary>
public sealed class OptionValues
{
    /// <summary>Code of the warning about a name that no option has.</summary>
    public const string UnknownCode = "IoBench.UnknownSetting";

    private readonly IReadOnlyList<OptionRow> _rows;
    private readonly OptionContext _context;
    private readonly Dictionary<string, IReadOnlyList<object>> _values = [];
    private readonly List<IoWarning> _warnings = [];
    private readonly HashSet<string> _unknown = new(StringComparer.OrdinalIgnoreCase);

    /// <summary>No values of a table yet.</summary>
    public OptionValues(IReadOnlyList<OptionRow> rows, OptionContext? context = null) =>
        (_rows, _context) = (rows, context ?? OptionContext.Process);

    /// <summary>Settings that a column may set; by default all there are.</summary>
    public IReadOnlyList<OptionRow> Columns { get; init; } = OptionTables.Columns;

    /// <summary>Names that no option has, each with what may have been meant, and settings that are not among <see cref="Columns"/>.</summary>
    public IReadOnlyList<IoWarning> Warnings => _warnings;

    /// <summary>The row of a name or an alias, upper or lower case; null when the table has none.</summary>
    public OptionRow? Find(string name) => _rows.FirstOrDefault(row => row.IsNamed(name));

    /// <summary>Sets an option by name; what was given before is replaced. A name that no option has becomes a warning.</summary>
    /// <param name="name">Name or alias, upper or lower case.</param>
    /// <param name="value">Text, a typed value or a list of either; of options that take several values a comma separates text, unless the row keeps commas. Null and blank = not given.</param>
    /// <returns>Whether there is such an option.</returns>
    /// <exception cref="IoBenchException">The value is not of the option's kind, or beyond its range; the text begins with the option.</exception>
    public bool Set(string name, object? value)
    {
        if (Find(name) is not { } row)
        {
            AddUnknown(name, _rows);
            return false;
        }
        Set(row, value);
        return true;
    }

    /// <summary>
    /// Sets an option from a column of a table or a property of an object: one of <see cref="Columns"/>. What is set already, by hand, stays. A name that no
    /// column has becomes a warning.
    /// </summary>
    /// <exception cref="IoBenchException">The value is not of the option's kind.</exception>
    public void SetColumn(string name, object? value)
    {
        var row = Columns.FirstOrDefault(column => column.IsNamed(name));
        if (row is null && OptionTables.FindColumn(name) is { } other)
            AddNotTaken(name, isGiven: Split(other, value).Any());
        else if (row is null)
            AddUnknown(name, Columns);
        else if (!_values.ContainsKey(row.Name))
            SetUnbounded(row, value);
    }

    /// <summary>Sets an option; see <see cref="Set(string, object?)"/>.</summary>
    public void Set(OptionRow row, object? value)
    {
        ArgumentNullException.ThrowIfNull(row);
        SetUnbounded(row, value);
        foreach (var read in _values.GetValueOrDefault(row.Name) ?? [])
            row.CheckRange(read);
    }

    // A property of an object may be 0 where it says "none", which nobody would write: what no test can have is refused with the whole test.
    private void SetUnbounded(OptionRow row, object? value)
    {
        var parts = Split(row, value).ToList();
        if (parts.Count == 0)
            return;
        if (parts.Count > 1 && row.Count == OptionValueCount.One)
            throw IoBenchException.Usage("IoBench.OneValue", $"{row.Option}: {parts.Count} values were given.", advice: "Give one.");
        _values[row.Name] = [.. parts.Select(part => Read(row, part))];
    }

    /// <summary>The options that were given.</summary>
    public IEnumerable<OptionRow> Given => _rows.Where(row => _values.ContainsKey(row.Name));

    /// <summary>Whether an option was given.</summary>
    public bool Has(OptionName option) => _values.ContainsKey(option.Name);

    /// <summary>All values of an option as the engine takes them; empty when it was not given.</summary>
    public IReadOnlyList<T> List<T>(OptionName option) => _values.TryGetValue(option.Name, out var values) ? [.. values.Cast<T>()] : [];

    /// <summary>The value of an option as the engine takes it; null when it was not given.</summary>
    public T? Value<T>(OptionName option)
        where T : struct => _values.TryGetValue(option.Name, out var values) ? (T)values[0] : null;

    /// <summary>The text of an option; null when it was not given.</summary>
    public string? Text(OptionName option) => _values.TryGetValue(option.Name, out var values) ? (string)values[0] : null;

    /// <summary>Whether a flag was given and is on.</summary>
    public bool IsOn(OptionName option) => Value<bool>(option) == true;

    /// <summary>Hands all to a request: what to test, in the order of the table.</summary>
    public void ApplyTo(PlanRequest request)
    {
        ArgumentNullException.ThrowIfNull(request);
        foreach (var row in _rows)
        {
            if (!_values.TryGetValue(row.Name, out var values))
                continue;
            if (row.SetRequest is { } set)
                set(request, values);
            else if (row.IsOfTest)
                request.Settings.Add(new OptionSetting(row, row.Count == OptionValueCount.Whole ? [values] : values));
        }
    }

    /// <summary>Sets all that is about a single test of it.</summary>
    public void ApplyTo(IoTestSpecification test)
    {
        ArgumentNullException.ThrowIfNull(test);
        foreach (var row in _rows.Where(row => row.IsOfTest && _values.ContainsKey(row.Name)).OrderBy(row => row.Order))
            row.Apply(test, row.Count == OptionValueCount.Whole ? _values[row.Name] : _values[row.Name][0]);
    }

    /// <summary>
    /// The same values give the same text: objects of a pipeline that are equal in it are one request.
    /// </summary>
    public string Signature() =>
        string.Join(
            '\n',
            _values
                .OrderBy(pair => pair.Key, StringComparer.Ordinal)
                .Select(pair =>
                    $"{pair.Key}={string.Join('|', pair.Value.Select(value => OptionTables.Find(pair.Key)?.Kind.Write(value)))}"
                )
        );

    private static IEnumerable<object> Split(OptionRow row, object? value)
    {
        if (value is null or DBNull)
            yield break;
        if (value is string text)
        {
            var isList = !row.KeepsCommas && (row.Count != OptionValueCount.One || row.Kind.IsNeverWithCommas);
            var parts = !isList ? [text.Trim()] : text.Split(',', StringSplitOptions.TrimEntries | StringSplitOptions.RemoveEmptyEntries);
            foreach (var part in parts.Where(part => part.Length > 0))
                yield return part;
        }
        else if (value is IEnumerable list)
        {
            // A list of processors, or of sizes with their shares, is one value of its own kind.
            var items = list.Cast<object?>().SelectMany(item => Split(row, item)).ToList();
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

    private object Read(OptionRow row, object value)
    {
        try
        {
            return row.Kind.Read(value, _context);
        }
        catch (IoBenchException error)
        {
            throw error.About(row.Option);
        }
        catch (Exception error) when (error is FormatException or InvalidCastException or OverflowException)
        {
            throw IoBenchException.Usage(
                "IoBench.InvalidValue",
                $"{row.Option}: '{OptionKind.ToText(value)}' is not {Figures.WithArticle(row.Kind.Name)}."
            );
        }
    }

    private void AddNotTaken(string name, bool isGiven)
    {
        if (isGiven && _unknown.Add(name))
            _warnings.Add(new IoWarning(UnknownCode, $"{name} is not taken from a table by this command and is left out."));
    }

    /// <summary>Names of settings that may have been meant; the program's names for them are understood, though no column has them.</summary>
    private static List<string> Meant(string name, IReadOnlyList<OptionRow> rows)
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
            .. NearNames
                .Of(name, names.Select(pair => pair.Known).Distinct(StringComparer.OrdinalIgnoreCase))
                .Select(near => names.Find(pair => pair.Known.Equals(near, StringComparison.OrdinalIgnoreCase)).Setting)
                .Distinct(),
        ];
    }

    private void AddUnknown(string name, IReadOnlyList<OptionRow> rows)
    {
        if (string.IsNullOrWhiteSpace(name) || !_unknown.Add(name))
            return;
        var near = Meant(name, rows);
        _warnings.Add(
            new IoWarning(
                UnknownCode,
                near.Count > 0
                    ? (IoText)$"{name} is not a setting of a test and is left out: did you mean {string.Join(" or ", near)}?"
                    : $"{name} is not a setting of a test and is left out."
            )
        );
    }
}

/// <summary>An option with the values that were given.</summary>
/// <param name="Values">As the engine takes them; of an option whose values are a whole, one: the list.</param>
public sealed record OptionSetting(OptionRow Row, IReadOnlyList<object> Values);
