using IoBench.Engine;

namespace IoBench.Formats;

/// <summary>Tests that were read from command lines, and what was passed over.</summary>
/// <param name="Specifications">The tests, in the order in which they would run.</param>
/// <param name="Notes">Lines that do not touch the tests and are not carried out, options without effect; each names its line.</param>
public sealed record CommandLineTests(IReadOnlyList<IoTestSpecification> Specifications, IReadOnlyList<string> Notes);

/// <summary>
/// Reads command lines of SQLIO and DiskSpd, and whole batch files of them: variables and set /a, loops, conditions, jumps and subroutines, continued
/// lines, waits as rest between tests, redirected output. What would change which tests run and cannot be understood is an error with file and line.
/// </summary>
public static class CommandLineReader
{
    /// <summary>Reads lines as they stand at a prompt or in a batch file.</summary>
    /// <param name="text">One line or several.</param>
    /// <param name="folder">Where parameter files and profiles without full path are looked for; null = the current folder.</param>
    /// <exception cref="IoBenchException"><c>IoBench.InvalidCommandLine</c>, <c>IoBench.NotSupported</c>, <c>IoBench.InvalidBatchFile</c>, or an error of a file that a line names.</exception>
    public static CommandLineTests Read(string text, string? folder = null)
    {
        ArgumentNullException.ThrowIfNull(text);
        return Read(new StringReader(text), null, folder);
    }

    /// <summary>Reads a batch file, a file of command lines, or a DiskSpd XML profile.</summary>
    /// <param name="path">The file; parameter files and profiles that it names are looked for in its folder.</param>
    /// <exception cref="IoBenchException">As <see cref="Read(string, string?)"/>, or <c>IoBench.FileNotFound</c>, <c>IoBench.CannotRead</c>, <c>IoBench.NoCommandLines</c>.</exception>
    public static CommandLineTests ReadFile(string path)
    {
        ArgumentException.ThrowIfNullOrEmpty(path);
        using var stream = TextInput.OpenFile(path);
        try
        {
            if (DiskSpdProfileReader.LooksLike(TextInput.DecodeHead(TextInput.ReadHead(stream))))
                return new CommandLineTests(DiskSpdProfileReader.ReadFile(path), []);
            var tests = Read(TextInput.OpenText(stream), path, Path.GetDirectoryName(Path.GetFullPath(path)));
            return tests.Specifications.Count > 0 ? tests : throw IoBenchException.InvalidData("IoBench.NoCommandLines",
                $"{path} has no command line of SQLIO or DiskSpd: a line must begin with the program, such as sqlio or diskspd.exe.", path);
        }
        catch (Exception e) when (e is IOException or UnauthorizedAccessException)
        {
            throw IoBenchException.Failure("IoBench.CannotRead", $"{path} cannot be read: {TextInput.OneLine(e.Message)}", path, e);
        }
    }

    /// <summary>Reads command lines or a batch file.</summary>
    /// <param name="reader">The text.</param>
    /// <param name="sourceFile">Its name, for messages and specifications; null = none.</param>
    /// <param name="folder">Where parameter files and profiles without full path are looked for; null = the current folder.</param>
    /// <exception cref="IoBenchException">As <see cref="Read(string, string?)"/>.</exception>
    public static CommandLineTests Read(TextReader reader, string? sourceFile, string? folder) => Read(reader, sourceFile, folder, BatchState.MostSteps);

    /// <summary>The same with a limit of one's own to the commands that are carried out.</summary>
    internal static CommandLineTests Read(TextReader reader, string? sourceFile, string? folder, int mostSteps)
    {
        ArgumentNullException.ThrowIfNull(reader);
        var state = new BatchState(new BatchVariables(folder) { SourceFile = sourceFile }, mostSteps);
        new BatchRunner(new BatchProgram(new BatchLines(reader, sourceFile), sourceFile), folder, state).Run();
        return new CommandLineTests(state.Specifications, state.Notes);
    }
}
