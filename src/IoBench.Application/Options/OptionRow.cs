using System.Globalization;
using System.Text;

namespace IoBench.Application.Options;

/// <summary>What several values of an option mean.</summary>
public enum OptionValueCount
{
    /// <summary>It takes one value.</summary>
    One,

    /// <summary>Each value is a test of its own, in every combination with other lists.</summary>
    Combinations,

    /// <summary>All values together are the option's value.</summary>
    Whole,
}

/// <summary>
/// An option, decided once: the program's options, the cmdlets' parameters and completers, the columns of tables that are read, the texts of errors and the
/// tables of the documentation come from these rows or are tested against them.
/// </summary>
public sealed record OptionRow
{
    private readonly string? _programName;
    private readonly string? _valueName;

    /// <summary>The neutral name in PascalCase, which is the cmdlets' parameter and the name of a column: <c>OutstandingIO</c>.</summary>
    public required string Name { get; init; }

    /// <summary>What its values are.</summary>
    public required OptionKind Kind { get; init; }

    /// <summary>What it does, in a sentence that ends with a full stop; without the default.</summary>
    public required string Help { get; init; }

    /// <summary>What holds when it is not given, as it would be written or in a few words; null = nothing.</summary>
    public string? Default { get; init; }

    /// <summary>What several values mean.</summary>
    public OptionValueCount Count { get; init; }

    /// <summary>Other names as a parameter or a column: <c>QueueDepth</c>, <c>QD</c>.</summary>
    public IReadOnlyList<string> Aliases { get; init; } = [];

    /// <summary>The program's name for it; by default <see cref="Name"/> in kebab case.</summary>
    public string ProgramName
    {
        get => _programName ?? "--" + Kebab(Name);
        init => _programName = value;
    }

    /// <summary>Other names in the program, hyphens included: <c>--qd</c>, <c>-o</c>.</summary>
    public IReadOnlyList<string> ProgramAliases { get; init; } = [];

    /// <summary>What stands for its value in the program's help.</summary>
    public string ValueName
    {
        get => _valueName ?? Kind.ValueName;
        init => _valueName = value;
    }

    /// <summary>A text is one value, commas and all; several values are a list.</summary>
    public bool KeepsCommas { get; init; }

    /// <summary>Lowest value of a number; null = no limit.</summary>
    public double? Min { get; init; }

    /// <summary>Highest value of a number; null = no limit.</summary>
    public double? Max { get; init; }

    /// <summary>Id of the error about a number beyond them: the same as of a whole test that has it.</summary>
    public string RangeErrorId { get; init; } = "IoBench.InvalidValue";

    /// <summary>Values that completion offers beside <see cref="OptionKind.Allowed"/>.</summary>
    public IReadOnlyList<string> Examples { get; init; } = [];

    /// <summary>Shown on the first page of help: most people need it.</summary>
    public bool FirstPage { get; init; }

    /// <summary>Lower is set earlier: what others override, then what depends on others (a rate that is divided among threads).</summary>
    internal int Order { get; init; }

    /// <summary>It is about targets: it is set when the test has its paths.</summary>
    internal bool NeedsTargets { get; init; }

    /// <summary>Sets one value of a test; null = it is not about a single test.</summary>
    internal Action<IoTestSpecification, object>? SetTest { get; init; }

    /// <summary>Sets its values of a request; null = they are set of each test.</summary>
    internal Action<PlanRequest, IReadOnlyList<object>>? SetRequest { get; init; }

    /// <summary>It says what a single test is: it can be set of a specification.</summary>
    public bool IsOfTest => SetTest is not null;

    /// <summary>The option in a text.</summary>
    public OptionName Option => new(Name);

    /// <summary>All names of it as a parameter or a column.</summary>
    public IEnumerable<string> Names => Aliases.Prepend(Name);

    /// <summary>Whether it is this one that a name in any case means.</summary>
    public bool IsNamed(string name) => Names.Contains(name, StringComparer.OrdinalIgnoreCase);

    /// <summary>The help with the default behind it: <c>Bytes per I/O. Default 8KB.</c></summary>
    public string FullHelp => Default is null ? Help : $"{Help} Default {Default}.";

    /// <summary>Sets it of a test.</summary>
    /// <param name="value">As <see cref="OptionKind.Read"/> gave it; of an option whose values are a whole, the list.</param>
    /// <exception cref="InvalidOperationException">It is not about a single test (<see cref="IsOfTest"/>).</exception>
    public void Apply(IoTestSpecification test, object value) =>
        (SetTest ?? throw new InvalidOperationException($"{Name} is not about a single test."))(test, value);

    /// <summary>Refuses a number beyond <see cref="Min"/> and <see cref="Max"/>, as a cmdlet's parameter does.</summary>
    /// <param name="value">As <see cref="OptionKind.Read"/> gave it.</param>
    /// <exception cref="IoBenchException"><see cref="RangeErrorId"/>.</exception>
    internal void CheckRange(object value)
    {
        if (value is not (int or double) || Min is null && Max is null)
            return;
        var number = Convert.ToDouble(value, CultureInfo.InvariantCulture);
        if (!(number >= (Min ?? number) && number <= (Max ?? number)))
            throw IoBenchException.Usage(RangeErrorId, $"{Option.With(value)}: {Min} to {Max} are possible.");
    }

    /// <inheritdoc/>
    public override string ToString() => Name;

    /// <summary><c>OutstandingIO</c> as <c>outstanding-io</c>.</summary>
    internal static string Kebab(string name)
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
