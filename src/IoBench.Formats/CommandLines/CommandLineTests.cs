using IoBench.Engine;

namespace IoBench.Formats;

/// <summary>Tests of command lines, with the lines that were ignored or refused.</summary>
/// <param name="Specifications">The tests, in the order in which they would run.</param>
/// <param name="Notes">Lines that do not affect the tests and are not carried out, and options without effect. Each note names its
/// line.</param>
/// <param name="Refused">Errors of the lines whose tests cannot be read. Each error names its line.</param>
public sealed record CommandLineTests(
    IReadOnlyList<IoTestSpecification> Specifications,
    IReadOnlyList<string> Notes,
    IReadOnlyList<IoBenchException> Refused
)
{
    /// <summary>
    /// Throws the first error, because running only a part of the tests is another test. Returns this object if there are no errors.
    /// </summary>
    /// <exception cref="IoBenchException">A line was refused.</exception>
    public CommandLineTests ThrowIfRefused() => Refused.Count == 0 ? this : throw Refused[0];
}
