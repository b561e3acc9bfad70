namespace IoBench.Formats.DiskSpd.CommandLine;

/// <summary>
/// DiskSpd's command line: all options up to 2.3 with their meaning, defaults and conflicts. What IoBench does not offer (ETW, named events,
/// memory mapping, -Sr, -SY) is refused with one line, nothing is silently ignored.
/// </summary>
public static class DiskSpdCommandLine
{
    /// <summary>The specification of a command line that runs one test.</summary>
    /// <param name="args">The arguments without the program's name; <c>&gt;</c> and <c>&gt;&gt;</c> with the file behind them are understood.</param>
    /// <param name="folder">Where a profile (-X) without full path is looked for; null = the current folder.</param>
    /// <param name="slashOptions">Whether <c>/b8K</c> is an option as <c>-b8K</c> is; null = on Windows, since elsewhere a slash begins a path.</param>
    /// <returns>The specification; <see cref="TestOrigin.DiskSpd"/> says what DiskSpd was to print.</returns>
    /// <exception cref="IoBenchException"><c>IoBench.InvalidCommandLine</c>, <c>IoBench.NotSupported</c>, or an error of the profile.</exception>
    public static IoTestSpecification Parse(IReadOnlyList<string> args, string? folder = null, bool? slashOptions = null)
    {
        var call = ParseCall(args, folder, slashOptions);
        if (call.ShowsUsage || call.SystemOnly)
            throw CallText.Wrong("this call shows help or the computer and runs no test.");
        return call.Specifications.Count == 1
            ? call.Specifications[0]
            : throw CallText.Wrong(
                $"the profile has {call.Specifications.Count} timespans: it is {call.Specifications.Count} tests, not one."
            );
    }

    /// <summary>The specification of a line of a batch file or a prompt, the program's name included.</summary>
    /// <param name="folder">Where a profile (-X) without full path is looked for; null = the current folder.</param>
    /// <exception cref="IoBenchException">As <see cref="Parse"/>.</exception>
    public static DiskSpdCall ParseLine(string line, string? folder = null)
    {
        ArgumentNullException.ThrowIfNull(line);
        var words = CommandLineWords.Split(line);
        // The program may be "diskspd" or "iobench diskspd": its own word is passed over with all before the first that names it.
        var program = words.FindIndex(w => ToolName.IsDiskSpd(w));
        var call = ParseCall(words.Skip(program + 1).ToList(), folder, slashOptions: true);
        foreach (var specification in call.Specifications)
            specification.Origin().CommandLine = line.Trim();
        return call;
    }

    /// <summary>A whole call: also help, output format and profiles of several timespans.</summary>
    /// <param name="args">The arguments without the program's name.</param>
    /// <param name="folder">Where a profile (-X) without full path is looked for; null = the current folder.</param>
    /// <param name="slashOptions">Whether <c>/b8K</c> is an option; null = on Windows.</param>
    /// <exception cref="IoBenchException">As <see cref="Parse"/>.</exception>
    public static DiskSpdCall ParseCall(IReadOnlyList<string> args, string? folder = null, bool? slashOptions = null)
    {
        ArgumentNullException.ThrowIfNull(args);
        return ReadCall(args, folder, slashOptions, isToRun: true);
    }

    /// <summary>A whole call.</summary>
    /// <param name="args">The arguments without the program's name.</param>
    /// <param name="folder">Where a profile (-X) without full path is looked for; null = the current folder.</param>
    /// <param name="slashOptions">Whether <c>/b8K</c> is an option; null = on Windows.</param>
    /// <param name="isToRun">The tests are for this computer; false for a call that another one has run.</param>
    /// <exception cref="IoBenchException">As <see cref="Parse"/>.</exception>
    internal static DiskSpdCall ReadCall(IReadOnlyList<string> args, string? folder, bool? slashOptions, bool isToRun)
    {
        var call = new CallParser(slashOptions ?? OperatingSystem.IsWindows());
        call.Take(args);
        if (call.ShowsUsage)
            return new DiskSpdCall { ShowsUsage = true };
        if (call.ShowsSystem)
            return new DiskSpdCall { SystemOnly = true, ResultFormat = call.Format };
        var specifications = call.Profile is null ? [call.ToSpecification()] : call.ReadProfile(folder);
        if (isToRun && !call.ProfileOnly)
            Version23Support.Apply(specifications, call.Options.Notes);
        var commandLine = "diskspd " + string.Join(' ', args.Select(CommandLineWords.Quote));
        var note = call.Options.Notes.Count == 0 ? null : string.Join(" ", call.Options.Notes);
        foreach (var specification in specifications)
        {
            specification.Origin().CommandLine = commandLine;
            specification.Origin().OutputFile = call.OutputFile;
            specification.Origin().DiskSpd!.Note = note;
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
