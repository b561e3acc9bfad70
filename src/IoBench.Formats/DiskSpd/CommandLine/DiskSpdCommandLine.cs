using IoBench.Engine;

namespace IoBench.Formats;

/// <summary>
/// DiskSpd's command line: all options through 2.3 with their meaning, defaults, and conflicts. An option that IoBench does not support
/// (ETW, named events, memory
/// mapping, -Sr, -SY) is an error. No option is silently ignored.
/// </summary>
public static class DiskSpdCommandLine
{
    /// <summary>Parses a command line that runs one test.</summary>
    /// <param name="args">Arguments without the program's name. Redirections (<c>&gt;</c>, <c>&gt;&gt;</c>) are supported.</param>
    /// <param name="folder">Folder of a profile (-X) without a full path; null for the current folder.</param>
    /// <param name="slashOptions">Whether <c>/b8K</c> is an option like <c>-b8K</c>. Null means only on Windows, because elsewhere a slash
    /// starts a path.</param>
    /// <returns>The specification. <see cref="TestOrigin.DiskSpd"/> holds what DiskSpd would print.</returns>
    /// <exception cref="IoBenchException"><c>IoBench.InvalidCommandLine</c>, <c>IoBench.NotSupported</c>, or an error of the
    /// profile.</exception>
    public static IoTestSpecification Parse(IReadOnlyList<string> args, string? folder = null, bool? slashOptions = null)
    {
        var call = ParseCall(args, folder, slashOptions);
        if (call.ShowsUsage || call.SystemOnly)
            throw DiskSpdArguments.CreateInvalidError("this call shows help or the computer and runs no test.");
        return call.Specifications.Count == 1
            ? call.Specifications[0]
            : throw DiskSpdArguments.CreateInvalidError(
                $"the profile has {call.Specifications.Count} timespans: it is {call.Specifications.Count} tests, not one."
            );
    }

    /// <summary>Parses a line of a batch file or a prompt, including the program's name.</summary>
    /// <param name="folder">Folder of a profile (-X) without a full path; null for the current folder.</param>
    /// <exception cref="IoBenchException">As <see cref="Parse"/>.</exception>
    public static DiskSpdCall ParseLine(string line, string? folder = null)
    {
        ArgumentNullException.ThrowIfNull(line);
        var words = CommandLineSplitter.Split(line);
        // The program can be "diskspd" or "iobench diskspd". Words before the first one that names DiskSpd are skipped.
        var program = words.FindIndex(w => ToolName.IsDiskSpd(w));
        var call = ParseCall(words.Skip(program + 1).ToList(), folder, slashOptions: true);
        foreach (var specification in call.Specifications)
            specification.GetOrAddOrigin().CommandLine = line.Trim();
        return call;
    }

    /// <summary>Parses a whole call, including help, output format, and profiles with several timespans.</summary>
    /// <param name="args">Arguments without the program's name.</param>
    /// <param name="folder">Folder of a profile (-X) without a full path; null for the current folder.</param>
    /// <param name="slashOptions">Whether <c>/b8K</c> is an option; null means only on Windows.</param>
    /// <exception cref="IoBenchException">As <see cref="Parse"/>.</exception>
    public static DiskSpdCall ParseCall(IReadOnlyList<string> args, string? folder = null, bool? slashOptions = null)
    {
        ArgumentNullException.ThrowIfNull(args);
        return ReadCall(args, folder, slashOptions, isToRun: true);
    }

    /// <summary>Parses a whole call.</summary>
    /// <param name="isToRun">False for a call that another computer has run, which need not be possible on this one.</param>
    internal static DiskSpdCall ReadCall(IReadOnlyList<string> args, string? folder, bool? slashOptions, bool isToRun)
    {
        var call = new DiskSpdCallParser(slashOptions ?? OperatingSystem.IsWindows());
        call.Parse(args);
        if (call.ShowsUsage)
            return new DiskSpdCall { ShowsUsage = true };
        if (call.ShowsSystem)
            return new DiskSpdCall { SystemOnly = true, ResultFormat = call.Format };
        var specifications = call.Profile is null ? [call.ToSpecification()] : call.ReadProfile(folder);
        if (isToRun && !call.ProfileOnly)
            DiskSpd23CallOptions.PrepareToRun(specifications, call.Options.Notes);
        var commandLine = "diskspd " + string.Join(' ', args.Select(CommandLineSplitter.Quote));
        var note = call.Options.Notes.Count == 0 ? null : string.Join(" ", call.Options.Notes);
        foreach (var specification in specifications)
        {
            specification.GetOrAddOrigin().CommandLine = commandLine;
            specification.GetOrAddOrigin().OutputFile = call.OutputFile;
            specification.GetOrAddOrigin().DiskSpd!.Note = note;
        }
        return new DiskSpdCall
        {
            Specifications = specifications,
            ResultFormat = call.Format,
            ProfileOnly = call.ProfileOnly,
            Notes = call.Options.Notes,
        };
    }
}
