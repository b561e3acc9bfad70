using System.Globalization;
using IoBench.Engine;

namespace IoBench.Formats;

/// <summary>Parses the block size first, because other sizes can be in blocks, then the options that are valid with a profile.</summary>
internal sealed class DiskSpdCallParser(bool slashOptions)
{
    private readonly List<string> _targets = [];
    private readonly List<string> _given = [];
    private uint? _seed;
    private int? _duration;
    private int? _warmUp;
    private int? _coolDown;

    internal DiskSpdCallOptions Options { get; } = new();
    internal string? Profile { get; private set; }
    internal string? OutputFile { get; private set; }
    internal ResultFormat Format { get; private set; } = ResultFormat.DiskSpd;
    private bool _explicitFormat;
    internal bool ProfileOnly { get; private set; }
    internal bool ShowsUsage { get; private set; }
    internal bool ShowsSystem { get; private set; }

    internal void Parse(IReadOnlyList<string> args)
    {
        ShowsUsage = ToolName.IsHelpRequest(args);
        if (ShowsUsage)
            return;
        var options = new List<string>();
        for (var i = 0; i < args.Count; i++)
        {
            if (args[i].Length == 0)
                continue;
            if (CommandLineSplitter.TryReadRedirection(args, ref i, out var file))
                OutputFile = file ?? OutputFile;
            else if (!IsOption(args[i]))
                _targets.Add(args[i]);
            else if (_targets.Count > 0)
                throw DiskSpdArguments.CreateInvalidError(
                    $"{args[i]} follows the target '{_targets[0]}'. Specify all options before the targets."
                );
            else
                options.Add(args[i][1..]);
        }
        ShowsUsage = options.Count + _targets.Count == 0;
        if (ShowsUsage)
            return;
        foreach (var option in options)
        {
            if (!TryParseGeneral(option))
                _given.Add(option);
        }
        if (Profile is not null && _given.Count > 0)
            throw DiskSpdArguments.CreateInvalidError(
                $"-{_given[0]} cannot be combined with a profile (-X). Only -v, -z, -R, -W, -d, -C, and targets can."
            );
        // If -b is repeated, the last one applies to all sizes in blocks.
        foreach (var option in _given.Where(o => o[0] == 'b'))
            ParseBlockSize(option);
        foreach (var option in _given.Where(o => o[0] != 'b'))
            Options.ParseOption(option);
        if (ShowsSystem && args.Count(word => word.Length > 0) > 1)
            throw DiskSpdArguments.CreateInvalidError("-Rs must be the only argument.");
    }

    /// <summary>An option starts with a hyphen, a dash that a web page made of it, or a slash on Windows.</summary>
    private bool IsOption(string word)
    {
        if (word[0] is not ('-' or '\u2013' or '\u2014' or '\u2212') && !(slashOptions && word[0] == '/' && !IsRootedPath(word)))
            return false;
        return word.Length > 1 ? true : throw DiskSpdArguments.CreateInvalidError($"'{word}' is an option without a letter.");
    }

    /// <summary>Only -X and -Z name a file, so any other word with a second slash or a point is a path such as /t.dat.</summary>
    private static bool IsRootedPath(string word) =>
        word.Length > 1
        && word[1] is not ('X' or 'Z')
        && (
            word.IndexOf('/', 1) > 0 || word.Contains('.', StringComparison.Ordinal) || (!OperatingSystem.IsWindows() && Path.Exists(word))
        );

    private bool TryParseGeneral(string option)
    {
        var value = option[1..];
        switch (option[0])
        {
            case ':':
                ParseExperimentFlags(option);
                return true;
            case 'C':
                _coolDown = ParseSeconds(option);
                return true;
            case 'd':
                _duration = ParseSeconds(option);
                return true;
            case 'W':
                _warmUp = ParseSeconds(option);
                return true;
            case 'b' when value.StartsWith('s'):
                Options.Version23.ParseBufferSeparation(option);
                return true;
            case 'R':
                ParseFormat(option, value);
                return true;
            case 'v':
                ParseVerbose(option, value);
                return true;
            case 'X':
                Profile =
                    Profile is null && value.Length > 0
                        ? value
                        : throw DiskSpdArguments.CreateInvalidError($"-{option}: specify one profile, for example -Xprofile.xml.");
                return true;
            case 'z':
                ParseSeed(option, value);
                return true;
            default:
                return false;
        }
    }

    private void ParseExperimentFlags(string option)
    {
        Options.OutputOptions.ExperimentFlags = Options.ParseNumber(option);
        if (Options.OutputOptions.ExperimentFlags != 0)
            Options.Notes.Add($"-{option}: this experimental option of DiskSpd (wait between I/Os at a limited rate) has no effect.");
    }

    private int ParseSeconds(string option)
    {
        var seconds = Options.ParseNumber(option);
        return seconds >= 0
            ? seconds
            : throw DiskSpdArguments.CreateInvalidError($"-{option}: specify seconds of 0 or more, for example -{option[0]}60.");
    }

    private void ParseFormat(string option, string value)
    {
        if (value.StartsWith('p'))
        {
            ProfileOnly = true;
            value = value[1..];
        }
        else if (value.StartsWith('s'))
        {
            ShowsSystem = true;
            value = value[1..];
        }
        switch (value)
        {
            case "text":
                Format = ResultFormat.DiskSpd;
                _explicitFormat = true;
                break;
            case "xml":
                Format = ResultFormat.DiskSpdXml;
                _explicitFormat = true;
                break;
            case "" when ProfileOnly || ShowsSystem:
                break;
            default:
                throw DiskSpdArguments.CreateInvalidError($"-{option}: use text, xml, ptext, pxml, stext, or sxml.");
        }
    }

    private void ParseVerbose(string option, string value)
    {
        switch (value)
        {
            case "":
                Options.OutputOptions.Verbose = true;
                break;
            case "s":
                Options.OutputOptions.VerboseStatistics = true;
                Options.Notes.Add("-vs: IoBench does not measure wait statistics, so they are 0.");
                break;
            default:
                throw DiskSpdArguments.CreateInvalidError($"-{option}: only s can follow -v.");
        }
    }

    private void ParseSeed(string option, string value)
    {
        if (value.Length == 0)
            _seed = (uint)Environment.TickCount64;
        else if (uint.TryParse(value, NumberStyles.None, CultureInfo.InvariantCulture, out var seed))
            _seed = seed;
        else
            throw DiskSpdArguments.CreateInvalidError($"-{option}: the seed must be a number from 0 to 4294967295.");
    }

    private void ParseBlockSize(string option) =>
        Options.BlockSize =
            DiskSpdArguments.TryParseSize(option.AsSpan(1), Options.BlockSize, out var size) && size < uint.MaxValue
                ? size
                : throw DiskSpdArguments.CreateInvalidError(
                    $"-{option}: the block size is invalid. Use bytes or a number with K or M, for example -b8K."
                );

    internal IoTestSpecification ToSpecification()
    {
        DiskSpdCallOptions.Validate(Options);
        if (_targets.Count == 0)
            throw DiskSpdArguments.CreateInvalidError("specify at least one file.");
        return Options.ToSpecification(_targets, ProfileOnly, _duration, _warmUp, _coolDown, _seed ?? 0);
    }

    internal IReadOnlyList<IoTestSpecification> ReadProfile(string? folder)
    {
        var path = folder is null ? Profile! : Path.Combine(folder, Profile!);
        var profile = DiskSpdProfileReader.ReadProfile(path, _targets, !ProfileOnly);
        if (!_explicitFormat && profile.ResultFormat == "xml")
            Format = ResultFormat.DiskSpdXml;
        if (profile.DescribeEmptyDurations(_duration is not null, _warmUp is not null, _coolDown is not null) is { } empty)
            Options.Notes.Add(empty);
        foreach (var specification in profile.Specifications)
        {
            if (_seed is { } seed)
                specification.Seed = seed;
            if (_duration is { } duration)
                specification.Duration = TimeSpan.FromSeconds(duration);
            if (_warmUp is { } warmUp)
                specification.WarmUp = TimeSpan.FromSeconds(warmUp);
            if (_coolDown is { } coolDown)
                specification.CoolDown = TimeSpan.FromSeconds(coolDown);
            var print = specification.GetOrAddOrigin().DiskSpd!;
            print.Verbose |= Options.OutputOptions.Verbose;
            print.VerboseStatistics |= Options.OutputOptions.VerboseStatistics;
        }
        return profile.Specifications;
    }
}
