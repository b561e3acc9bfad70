using IoBench.Engine;
using static IoBench.Formats.SqlioCommandLine;

namespace IoBench.Formats;

internal sealed class SqlioOptionParser
{
    private static readonly Dictionary<char, Action<SqlioOptionParser, string>> s_options = new()
    {
        ['k'] = (p, value) => p._test.WritePercent = ParseLetter("-k", value, "RW", "-kR or -kW") == 'W' ? 100 : 0,
        ['t'] = (p, value) => p._test.ThreadCount = ParseNumber("-t", value, 1, SqlioCommandLine.MaxThreads, "-t4"),
        ['s'] = (p, value) => p._test.Duration = TimeSpan.FromSeconds(ParseNumber("-s", value, 1, 366 * 86400, "-s60")),
        ['b'] = (p, value) => p._test.BlockSize = ParseNumber("-b", value, 1, 65536, "-b8") * 1024L,
        ['i'] = (p, value) => p._rows = ParseNumber("-i", value, 1, int.MaxValue, "-i64"),
        ['S'] = (p, value) => p._startBlock = ParseNumber("-S", value, 0, int.MaxValue, "-S1024"),
        ['o'] = (p, value) => p.SetOutstanding(value),
        ['f'] = (p, value) => p.SetAccess(value),
        ['B'] = (p, value) => p.SetBuffering(value),
        ['L'] = (p, value) => p.SetLatency(value),
        ['U'] = (p, value) => p.SetUtilization(value),
        ['d'] = (p, value) => p.SetDrives(value),
        ['R'] = (p, value) => p.SetRawDrives(value),
        ['F'] = (p, value) => p.SetParameterFileName(value),
        ['p'] = (p, value) => p.SetProcessor(value),
        ['a'] = (p, value) => p.SetMask(value),
        ['m'] = (_, _) =>
            throw CreateNotSupportedError(
                "IoBench does not support -m (I/O with several buffers). Remove -m. This does not change the I/O to the device."
            ),
        ['D'] = (_, _) => throw CreateNotSupportedError("IoBench does not support -D (debugging of SQLIO). Remove it."),
        ['v'] = (_, value) => throw CreateNotSupportedError($"-v{value}: IoBench supports only -v1.1.1."),
    };

    private readonly IoTestSpecification _test = new()
    {
        BlockSize = 2048,
        ThreadCount = 1,
        OutstandingIO = 1,
        WritePercent = 0,
        AccessPattern = IoAccessPattern.Stride,
        Buffering = IoBuffering.None,
        Duration = TimeSpan.FromSeconds(30),
        // SQLIO measures from its first I/O.
        WarmUp = TimeSpan.Zero,
    };

    private readonly HashSet<string> _given = new(StringComparer.Ordinal);
    private readonly List<string> _files = [];
    private readonly List<string> _drives = [];
    private readonly List<string> _rawDrives = [];
    private readonly SqlioOptions _print = new();
    private int _columns = 64;
    private int _rows = 64;
    private bool _stays;
    private long _startBlock;
    private ulong _mask;
    private bool _roundRobin;

    public string? OutputFile { get; set; }

    public void AddFile(string name)
    {
        if (name.Length > SqlioCommandLine.MaxNameLength)
            throw CreateError($"the file name {name[..40]}... is longer than {SqlioCommandLine.MaxNameLength} characters.");
        _files.Add(name);
    }

    public void ParseOption(string option)
    {
        if (option.Length == 0)
            throw CreateError("an option has no letter. Specify options in the form -kR.");
        // Check -64 first; otherwise -6 would be an unknown option.
        if (option == "64")
        {
            // Current processes are always 64-bit, so the option has no effect.
            CheckGivenOnce("-64");
            return;
        }
        if (option == "v1.1.1")
        {
            CheckGivenOnce("-v1.1.1");
            _stays = true;
            return;
        }
        CheckGivenOnce("-" + option[0]);
        if (!s_options.TryGetValue(option[0], out var parse))
            throw CreateError($"-{option} is not an option of SQLIO 1.5.");
        parse(this, option[1..]);
    }

    public IoTestSpecification ToSpecification(Func<string, IReadOnlyList<SqlioParameterLine>> readParameterFile)
    {
        CheckCombination();
        _test.Extension = new TestOrigin { OutputFile = OutputFile, Sqlio = _print };
        if (_test.AccessPattern == IoAccessPattern.Stride)
        {
            _test.StripeColumns = _columns;
            _test.StripeRows = _rows;
            _test.StripeStays = _stays;
        }
        if (_print.ParameterFile is { } file)
            SetParameterFile(readParameterFile(file));
        else
            SetFiles();
        foreach (var target in _test.Targets)
            target.BaseOffset = _startBlock * _test.BlockSize;
        return _test;
    }

    private void SetFiles()
    {
        var names = _files.Count > 0 || _rawDrives.Count > 0 ? _files : [DefaultFile];
        var paths = _drives.Count > 0 ? _drives.SelectMany(drive => names.Select(name => drive + ":" + name)) : names;
        foreach (var path in paths.Concat(_rawDrives))
            _test.Targets.Add(new IoTargetSpecification(path));
        if (_test.Targets.Count > SqlioCommandLine.MaxFiles)
            throw CreateError(
                $"{_test.Targets.Count} files (including the files from -d and -R) are too many. The maximum is {SqlioCommandLine.MaxFiles}."
            );
        if (_test.Targets.Count > 1)
        {
            // All threads use all files. Without -o, each thread waits for one I/O before it continues with its next file.
            _test.SharedThreadPool = true;
            _test.PoolOutstandingIO = _print.OutstandingGiven ? null : 1;
        }
        _test.Processors = SqlioCommandLine.GetProcessors(_mask);
        _test.AffinityMode =
            _mask == 0 ? IoAffinityMode.Off
            : _roundRobin ? IoAffinityMode.RoundRobin
            : IoAffinityMode.Mask;
    }

    private void SetParameterFile(IReadOnlyList<SqlioParameterLine> lines)
    {
        foreach (var line in lines)
        {
            CheckColumns(line.Threads);
            if (line.SizeMB is not null && _test.AccessPattern == IoAccessPattern.Stride)
                throw CreateError($"{_print.ParameterFile} line {line.LineNumber}: a size requires -frandom or -fsequential.");
            if (line.SizeMB is null && SqlioCommandLine.GetDevicePath(line.Path) != line.Path)
                throw CreateError($"{_print.ParameterFile} line {line.LineNumber}: a raw drive requires a size in MB.");
        }
        SqlioCommandLine.SetTargets(_test, lines);
    }

    private void CheckCombination()
    {
        if (_print.ParameterFile is not null)
        {
            foreach (var other in (string[])["-d", "-R", "-p", "-a"])
                if (_given.Contains(other))
                    throw CreateError(
                        $"{other} and -F cannot be combined, because the parameter file specifies the files, threads, and CPUs.",
                        advice: "Remove one of them."
                    );
            // SQLIO's readme advises against -t here, but SQLIO accepted it, and old batch files use it.
            if (_given.Contains("-t"))
                AddNote(
                    $"-t{_test.ThreadCount} has no effect, because the parameter file {_print.ParameterFile} specifies the threads for each file."
                );
            if (_files.Count > 0)
                throw CreateError(
                    $"{_files[0]} and -F cannot be combined, because the parameter file specifies the files.",
                    advice: "Remove one of them."
                );
        }
        if (_given.Contains("-p") && _given.Contains("-a"))
            throw CreateError("-p and -a cannot be combined, because both bind threads to CPUs.", advice: "Remove one of them.");
        if (_stays && _test.AccessPattern != IoAccessPattern.Stride)
            throw CreateError("-v1.1.1 requires stripes (-f and a number).");
        if (_print.ParameterFile is null)
            CheckColumns(_test.ThreadCount);
    }

    private void CheckColumns(int threads)
    {
        if (_test.AccessPattern == IoAccessPattern.Stride && _columns < threads)
            throw CreateError(
                $"{threads} threads share the {NumberFormat.Pluralize(_columns, "column")} of -f{_columns}, but IoBench needs at least as many columns as threads.",
                advice: $"Use -f{threads} or more, -frandom, or -fsequential."
            );
    }

    /// <summary>Accepts 0 because old batch files use it: synchronous I/O, as without the option.</summary>
    private void SetOutstanding(string value)
    {
        var outstanding = ParseNumber("-o", value, 0, 256, "-o8");
        _test.OutstandingIO = Math.Max(1, outstanding);
        _print.OutstandingGiven = outstanding > 0;
        if (outstanding == 0)
            AddNote("-o0 has no effect. Each thread has one outstanding I/O.");
    }

    private void SetAccess(string value)
    {
        if (value.Equals("random", StringComparison.OrdinalIgnoreCase))
        {
            _test.AccessPattern = IoAccessPattern.Random;
        }
        else if (value.Equals("sequential", StringComparison.OrdinalIgnoreCase))
        {
            _test.AccessPattern = IoAccessPattern.Interlocked;
        }
        else
        {
            if (value.Length > 0 && !char.IsAsciiDigit(value[0]))
                throw CreateError($"-f{value} is invalid. Use -frandom, -fsequential, or a number of blocks such as -f64.");
            _columns = ParseNumber("-f", value, 1, 1 << 20, "-frandom, -fsequential or -f64");
        }
    }

    private void SetBuffering(string value)
    {
        var letter = ParseLetter("-B", value, "NYHS", "-BN (none), -BH (hardware), -BS (software), or -BY (all)");
        _test.Buffering = letter switch
        {
            'N' => IoBuffering.None,
            'H' => IoBuffering.Hardware,
            'S' => IoBuffering.Software,
            _ => IoBuffering.Both,
        };
        _print.BufferingGiven = true;
    }

    private void SetParameterFileName(string value) =>
        _print.ParameterFile =
            value.Length > 0
                ? value
                : throw CreateError(
                    "-F requires the name of the parameter file, without a space before the name, for example -Fparam.txt."
                );

    private void SetLatency(string value)
    {
        const string how = "-LS (system timer) or -LP (processor timer); append i (-LSi, -LPi) to include the time of I/O submission";
        if (value.Length is < 1 or > 2 || (value.Length == 2 && value[1] is not ('i' or 'I')))
            throw CreateError($"-L{value}: use {how}.");
        _print.LatencyTimer = ParseLetter("-L", value[..1], "SP", how);
        _print.InitiationLatency = value.Length == 2;
        if (_print.InitiationLatency)
            AddNote(
                "IoBench does not measure the time of I/O submission (the i of -LSi), so the output does not contain the three Init_Latency lines of SQLIO."
            );
    }

    private void AddNote(string note) => _print.Note = _print.Note is null ? note : _print.Note + " " + note;

    private void SetUtilization(string value)
    {
        if (value is not ("" or "p" or "P"))
            throw CreateError($"-U{value} is invalid. Use -U for the usage of all CPUs together, or -Up for the usage of each CPU.");
        _print.ProcessorUse = true;
        _print.ProcessorUseEach = value.Length > 0;
    }

    private void SetDrives(string value)
    {
        if (value.Length == 0 || !value.All(char.IsAsciiLetter))
            throw CreateError($"-d{value} is invalid. Use drive letters, for example -dEFG.");
        _drives.AddRange(value.Select(c => c.ToString()));
    }

    private void SetRawDrives(string value)
    {
        foreach (var word in value.Split(','))
        {
            var name = word.TrimEnd(':');
            if (name.Length is 0 or > 4 || !(name.All(char.IsAsciiDigit) || (name.Length == 1 && char.IsAsciiLetter(name[0]))))
                throw CreateError($"-R{value} is invalid. Use drive letters or disk numbers with commas, for example -RE,2.");
            _rawDrives.Add(SqlioCommandLine.GetDevicePath(name + ":"));
        }
    }

    private void SetProcessor(string value)
    {
        if (value.StartsWith('I'))
            throw CreateNotSupportedError(
                $"-p{value}: IoBench does not support an ideal CPU.",
                advice: $"Use -p{value[1..]}, which binds the threads to this CPU."
            );
        _mask = 1UL << ParseNumber("-p", value, 0, 63, "-p0");
    }

    private void SetMask(string value)
    {
        var mask = value;
        _roundRobin = mask.StartsWith('R');
        if (_roundRobin)
            mask = mask[1..];
        if (mask.StartsWith('I'))
            throw CreateNotSupportedError(
                $"-a{value}: IoBench does not support ideal CPUs.",
                advice: $"Use -a{(_roundRobin ? "R" : "")}{mask[1..]}, which binds the threads to these CPUs."
            );
        if (!SqlioCommandLine.TryParseMask(mask, out _mask))
            throw CreateError(
                $"-a{value} is invalid. Use a CPU mask, for example -a0xF, or -aR0xF to assign one CPU to each thread in turn."
            );
    }

    private static char ParseLetter(string option, string value, string letters, string how)
    {
        if (value.Length == 1 && letters.Contains(char.ToUpperInvariant(value[0])))
            return char.ToUpperInvariant(value[0]);
        throw CreateError($"{option}{value}: use {how}.");
    }

    private void CheckGivenOnce(string option)
    {
        if (!_given.Add(option))
            throw CreateError($"{option} is specified twice. Remove one of them.");
    }
}
