using System.Globalization;
using IoBench.Engine;
using static IoBench.Formats.DiskSpdCommandLine;

namespace IoBench.Formats;

/// <summary>Parses the block size first, because other sizes can be in blocks, then the options that are valid with a profile.</summary>
internal sealed class DiskSpdCallParser(bool slashOptions)
{
    private static readonly Dictionary<char, Action<DiskSpdCallParser, string>> s_generalOptions = new()
    {
        [':'] = (p, option) => p.ParseExperimentFlags(option),
        ['C'] = (p, option) => p._coolDown = p.ParseSeconds(option),
        ['d'] = (p, option) => p._duration = p.ParseSeconds(option),
        ['W'] = (p, option) => p._warmUp = p.ParseSeconds(option),
        ['R'] = (p, option) => p.ParseFormat(option, option[1..]),
        ['v'] = (p, option) => p.ParseVerbose(option),
        ['X'] = (p, option) => p.ParseProfile(option),
        ['z'] = (p, option) => p.ParseSeed(option),
    };

    private readonly List<string> _targets = [];
    private readonly List<string> _given = [];
    private readonly DiskSpdTestOptions _options = new();
    private uint? _seed;
    private int? _duration;
    private int? _warmUp;
    private int? _coolDown;
    private bool _explicitFormat;

    internal List<string> Notes => _options.Notes;
    internal string? Profile { get; private set; }
    internal string? OutputFile { get; private set; }
    internal ResultFormat Format { get; private set; } = ResultFormat.DiskSpd;
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
                throw CreateInvalidError($"{args[i]} follows the target '{_targets[0]}'. Specify all options before the targets.");
            else
                options.Add(args[i][1..]);
        }
        ShowsUsage = options.Count + _targets.Count == 0;
        if (ShowsUsage)
            return;
        _given.AddRange(options.Where(option => !TryParseGeneral(option)));
        if (Profile is not null && _given.Count > 0)
            throw CreateInvalidError($"-{_given[0]} cannot be combined with a profile (-X). Only -v, -z, -R, -W, -d, -C, and targets can.");
        // If -b is repeated, the last one applies to all sizes in blocks.
        foreach (var option in _given.Where(o => o[0] == 'b'))
            _options.ParseBlockSize(option);
        foreach (var option in _given.Where(o => o[0] != 'b'))
            _options.ParseOption(option);
        if (ShowsSystem && args.Count(word => word.Length > 0) > 1)
            throw CreateInvalidError("-Rs must be the only argument.");
    }

    /// <summary>An option starts with a hyphen, a dash that a web page made of it, or a slash on Windows.</summary>
    private bool IsOption(string word)
    {
        if (word[0] is not ('-' or '\u2013' or '\u2014' or '\u2212') && !(slashOptions && word[0] == '/' && !IsRootedPath(word)))
            return false;
        return word.Length > 1 ? true : throw CreateInvalidError($"'{word}' is an option without a letter.");
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
        if (option.StartsWith("bs", StringComparison.Ordinal))
            _options.ParseBufferSeparation(option);
        else if (s_generalOptions.TryGetValue(option[0], out var parse))
            parse(this, option);
        else
            return false;
        return true;
    }

    private void ParseProfile(string option)
    {
        ThrowIf(Profile is not null || option.Length == 1, $"-{option}: specify one profile, for example -Xprofile.xml");
        Profile = option[1..];
    }

    private void ParseExperimentFlags(string option)
    {
        _options.Output.ExperimentFlags = _options.ParseNumber(option);
        if (_options.Output.ExperimentFlags != 0)
            Notes.Add($"-{option}: this experimental DiskSpd option (wait between I/Os at a limited rate) has no effect.");
    }

    private int ParseSeconds(string option)
    {
        var seconds = _options.ParseNumber(option);
        ThrowIf(seconds < 0, $"-{option}: specify a number of seconds (0 or more), for example -{option[0]}60");
        return seconds;
    }

    private void ParseFormat(string option, string value)
    {
        ProfileOnly |= value.StartsWith('p');
        ShowsSystem |= value.StartsWith('s');
        var format = value.TrimStart('p', 's');
        if (format is "" && value.Length == 1)
            return;
        if (format is not ("text" or "xml") || value.Length - format.Length > 1)
            throw CreateInvalidError($"-{option}: use text, xml, ptext, pxml, stext, or sxml.");
        Format = format == "xml" ? ResultFormat.DiskSpdXml : ResultFormat.DiskSpd;
        _explicitFormat = true;
    }

    private void ParseVerbose(string option)
    {
        ThrowIf(option is not ("v" or "vs"), $"-{option}: only s can follow -v");
        _options.Output.Verbose |= option == "v";
        if (option == "v")
            return;
        _options.Output.VerboseStatistics = true;
        Notes.Add("-vs: IoBench does not measure wait statistics, so they are 0.");
    }

    private void ParseSeed(string option)
    {
        var seed = (uint)Environment.TickCount64;
        if (option.Length > 1 && !uint.TryParse(option.AsSpan(1), NumberStyles.None, CultureInfo.InvariantCulture, out seed))
            throw CreateInvalidError($"-{option}: the seed must be a number from 0 to 4294967295.");
        _seed = seed;
    }

    internal IReadOnlyList<IoTestSpecification> CreateSpecifications(string? folder)
    {
        IReadOnlyList<IoTestSpecification> tests = Profile is null
            ? [_options.ToSpecification(_targets, ProfileOnly)]
            : ReadProfile(Path.Combine(folder ?? "", Profile));
        foreach (var test in tests)
        {
            if (_seed is { } seed)
                test.Seed = seed;
            if (_duration is { } duration)
                test.Duration = TimeSpan.FromSeconds(duration);
            if (_warmUp is { } warmUp)
                test.WarmUp = TimeSpan.FromSeconds(warmUp);
            if (_coolDown is { } coolDown)
                test.CoolDown = TimeSpan.FromSeconds(coolDown);
        }
        return tests;
    }

    private List<IoTestSpecification> ReadProfile(string path)
    {
        var profile = DiskSpdProfile.ReadProfile(path, _targets, !ProfileOnly);
        if (!_explicitFormat && profile.ResultFormat == "xml")
            Format = ResultFormat.DiskSpdXml;
        if (profile.DescribeEmptyDurations(_duration is not null, _warmUp is not null, _coolDown is not null) is { } empty)
            Notes.Add(empty);
        foreach (var output in profile.Specifications.Select(test => test.GetOrAddOrigin().DiskSpd!))
        {
            output.Verbose |= _options.Output.Verbose;
            output.VerboseStatistics |= _options.Output.VerboseStatistics;
        }
        return profile.Specifications;
    }
}
