namespace IoBench.Formats.CommandLines;

/// <summary>Tests that were read from command lines, and what was passed over.</summary>
/// <param name="Specifications">The tests, in the order in which they would run.</param>
/// <param name="Notes">Lines that do not touch the tests and are not carried out, options without effect; each names its line.</param>
/// <param name="Refused">Lines whose tests cannot be read, an error for each with its line; all others were read.</param>
public sealed record CommandLineTests(
    IReadOnlyList<IoTestSpecification> Specifications,
    IReadOnlyList<string> Notes,
    IReadOnlyList<IoBenchException> Refused
)
{
    /// <summary>Throws the first refusal: for who runs the tests, since a part of them is another test.</summary>
    /// <exception cref="IoBenchException">A line was refused.</exception>
    public CommandLineTests ThrowIfRefused() => Refused.Count == 0 ? this : throw Refused[0];
}
