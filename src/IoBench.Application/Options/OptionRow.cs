using System.Globalization;
using System.Text;
using IoBench.Engine;

namespace IoBench.Application;

/// <summary>Meaning of several values of an option.</summary>
public enum OptionValueCount
{
    One,

    /// <summary>Each value creates its own test, in every combination with other lists.</summary>
    Combinations,

    /// <summary>All values together are the option's value.</summary>
    Whole,
}

/// <summary>Definition of one option. Front ends, messages, and documentation tables are created from these rows or tested against
/// them.</summary>
/// <param name="Name">Neutral name in PascalCase, used as cmdlet parameter and column name: <c>OutstandingIO</c>.</param>
/// <param name="Help">Description: one sentence with a period, without the default.</param>
public sealed record OptionRow(string Name, OptionKind Kind, string Help)
{
    private readonly string? _programName;
    private readonly string? _valueName;

    /// <summary>Default as the user would write it, or in a few words; null if there is none.</summary>
    public string? Default { get; init; }

    public OptionValueCount Count { get; init; }

    /// <summary>Other names of the parameter or column: <c>QueueDepth</c>, <c>QD</c>.</summary>
    public IReadOnlyList<string> Aliases { get; init; } = [];

    /// <summary>CLI name; by default <see cref="Name"/> in kebab case.</summary>
    public string ProgramName
    {
        get => _programName ?? "--" + ToKebabCase(Name);
        init => _programName = value;
    }

    /// <summary>Other CLI names, including hyphens: <c>--qd</c>, <c>-o</c>.</summary>
    public IReadOnlyList<string> ProgramAliases { get; init; } = [];

    public string ValueName
    {
        get => _valueName ?? Kind.ValueName;
        init => _valueName = value;
    }

    /// <summary>Number of values after the option in the CLI; 1 for most options.</summary>
    public int ValuesPerUse { get; init; } = 1;

    /// <summary>True if a comma is part of the value. Several values then require a list.</summary>
    public bool KeepsCommas { get; init; }

    /// <summary>Lowest and highest allowed number; null for no limits.</summary>
    public (double Min, double Max)? Range { get; init; }

    /// <summary>Id of the error for a number out of range. It is the same id as for a test with this value.</summary>
    public string RangeErrorId { get; init; } = "IoBench.InvalidValue";

    /// <summary>Values that completion offers in addition to <see cref="OptionKind.Allowed"/>.</summary>
    public IReadOnlyList<string> Examples { get; init; } = [];

    /// <summary>True if the short CLI help lists the option. Applies to commands with <c>--help-all</c> only; others list all
    /// options.</summary>
    public bool FirstPage { get; init; }

    /// <summary>Options are applied in ascending order: values that others override first, values that depend on others last.</summary>
    internal int Order { get; init; }

    /// <summary>True if the option can be applied only after the test has its targets.</summary>
    internal bool NeedsTargets { get; init; }

    /// <summary>Applies one value to a test; null if the option does not apply to a single test.</summary>
    internal Action<IoTestSpecification, object>? SetTest { get; init; }

    /// <summary>Applies all values to a request; null if they are applied to each test.</summary>
    internal Action<PlanRequest, IReadOnlyList<object>>? SetRequest { get; init; }

    /// <summary>True if the option applies to a single test, so that a specification can have it.</summary>
    public bool IsOfTest => SetTest is not null;

    public OptionName Option => new(Name);

    public IEnumerable<string> Names => Aliases.Prepend(Name);

    public bool IsNamed(string name) => Names.Contains(name, StringComparer.OrdinalIgnoreCase);

    /// <summary>Description with the default: <c>Block size. Default 8KB.</c></summary>
    public string FullHelp => Default is null ? Help : $"{Help} Default: {Default}.";

    /// <param name="value">Value of <see cref="OptionKind.ParseValue"/>; a list if <see cref="Count"/> is
    /// <see cref="OptionValueCount.Whole"/>.</param>
    public void Apply(IoTestSpecification test, object value) =>
        (SetTest ?? throw new InvalidOperationException($"{Name} does not apply to a single test."))(test, value);

    internal void CheckRange(object value)
    {
        if (value is not (int or double) || Range is not { } range)
            return;
        var number = Convert.ToDouble(value, CultureInfo.InvariantCulture);
        if (!(number >= range.Min && number <= range.Max))
            throw IoBenchException.Usage(
                RangeErrorId,
                $"{Option.WithValue(value)} is out of range. Use a value from {range.Min} to {range.Max}."
            );
    }

    public override string ToString() => Name;

    internal static string ToKebabCase(string name)
    {
        var text = new StringBuilder(name.Length + 4);
        for (var i = 0; i < name.Length; i++)
        {
            if (i > 0 && char.IsAsciiLetterUpper(name[i]) && !char.IsAsciiLetterUpper(name[i - 1]))
                text.Append('-');
            text.Append(char.ToLowerInvariant(name[i]));
        }
        return text.ToString();
    }
}
