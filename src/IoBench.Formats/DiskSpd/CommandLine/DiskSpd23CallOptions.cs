using IoBench.Engine;

namespace IoBench.Formats;

internal sealed class DiskSpd23CallOptions
{
    private const int MaxBatch = 65536;
    private const int MaxDepth = 16;
    private readonly DiskSpd23Options _options = new();
    private bool _isUsed;

    internal DiskSpd23Options? Options => _isUsed ? _options : null;

    internal DiskSpdAffinityOption Affinity { get; } = new();

    internal void ParseAffinity(string value) => Affinity.ParseValue(value, _options, () => _isUsed = true);

    /// <summary>Parses -u, -un, -u8, -u50p. The last batch size and the last n apply.</summary>
    internal void ParseIoRing(string option)
    {
        _isUsed = true;
        var value = option.AsSpan(1);
        _options.RegistersBuffers = !value.StartsWith("n");
        if (!_options.RegistersBuffers)
            value = value[1..];
        if (value.IsEmpty)
        {
            if (_options.IoRingBatch is null)
            {
                _options.IoRingBatch = 25;
                _options.IoRingBatchIsPercent = true;
            }
            return;
        }
        var isPercent = value.EndsWith("p");
        var batch = DiskSpdArguments.ParseNumber(isPercent ? value[..^1] : value, out var isPlain);
        if (!isPlain || batch < 1 || batch > (isPercent ? 100 : MaxBatch))
            throw DiskSpdArguments.CreateInvalidError(
                $"-{option}: use a batch of 1 to {MaxBatch} I/Os (-u8), or of 1 to 100 percent of the outstanding I/Os (-u50p)."
            );
        _options.IoRingBatch = batch;
        _options.IoRingBatchIsPercent = isPercent;
    }

    internal void ParseBufferSeparation(string option)
    {
        _isUsed = true;
        _options.SeparatesBuffers = option switch
        {
            "bsp" => true,
            "bsn" => false,
            _ => throw DiskSpdArguments.CreateInvalidError(
                $"-{option}: use -bsp (each buffer on its own boundary) or -bsn (placed by the system)."
            ),
        };
    }

    internal void ParseCompletionDepth(string option)
    {
        _isUsed = true;
        var depth = DiskSpdArguments.ParseNumber(option.AsSpan(2), out _);
        _options.CompletionDepth = depth is >= 1 and <= MaxDepth
            ? depth
            : throw DiskSpdArguments.CreateInvalidError($"-{option}: use 1 to {MaxDepth} completions, for example -oc4.");
    }

    internal void SetBypass(DiskSpdBypass bypass)
    {
        _isUsed = true;
        if (_options.BypassIO != DiskSpdBypass.None)
            throw DiskSpdArguments.CreateInvalidError("-Sy and -SY cannot be combined or repeated.");
        _options.BypassIO = bypass;
    }

    internal void Validate(DiskSpdCallOptions o)
    {
        DiskSpdArguments.ThrowIf(
            _options.IoRingBatch is not null && o.OutputOptions.CompletionRoutines,
            "IoRing (-u) cannot be combined with completion routines (-x)"
        );
        DiskSpdArguments.ThrowIf(
            _options.CompletionDepth is not null && o.OutputOptions.CompletionRoutines,
            "-oc cannot be combined with completion routines (-x)"
        );
        if (_options.BypassIO == DiskSpdBypass.None)
            return;
        DiskSpdArguments.ThrowIf(!o.Unbuffered, "BypassIO (-Sy, -SY) requires unbuffered I/O (-Su)");
        DiskSpdArguments.ThrowIf(o.WritePercent > 0, "BypassIO (-Sy, -SY) is only for reads. Remove -w");
    }

    /// <exception cref="IoBenchException">BypassIO is mandatory, or this computer does not have a group.</exception>
    internal static void PrepareToRun(IEnumerable<IoTestSpecification> tests, List<string> notes)
    {
        foreach (var test in tests)
        {
            if (test.GetOrAddOrigin().DiskSpd?.Version23 is not { } options)
                continue;
            AddNotes(options, notes);
            if (options.WholeGroups != 0)
                ResolveGroups(test, options.WholeGroups, HostFacts.GetProcessorGroups());
        }
    }

    private static void AddNotes(DiskSpd23Options options, List<string> notes)
    {
        switch (options.BypassIO)
        {
            case DiskSpdBypass.Full:
                throw DiskSpdArguments.CreateNotSupportedError(
                    "-SY: IoBench does not support BypassIO, and -SY requires it.",
                    advice: "Remove the Y, or use -Sy, which allows the test to run without BypassIO."
                );
            case DiskSpdBypass.Partial:
                Note(
                    "-Sy: IoBench does not support BypassIO. The reads use the normal path through the file system and the storage stack."
                );
                break;
        }
        if (options.IoRingBatch is not null)
        {
            Note(
                OperatingSystem.IsWindows()
                    ? "-u: IoBench does not support IoRing on Windows. The test uses a completion port."
                    : "-u: IoRing requires Windows. The test uses io_uring if the kernel supports it, and IoBench chooses the batches."
            );
        }
        if (!options.SeparatesBuffers)
            Note("-bsn: IoBench places the buffers itself, so the option has no effect.");
        if (options.CompletionDepth is not null)
            Note("-oc: IoBench always takes all completions that are ready, so the option has no effect.");
        if (options.IsCoreAware || options.SpansGroups || options.CoreOrder is not (DiskSpdCoreOrder.PFirst or DiskSpdCoreOrder.Unordered))
            Note("-a: c, s, P, e, and E have no effect, because IoBench uses CPUs in the listed order or by number.");

        void Note(string text)
        {
            if (!notes.Contains(text))
                notes.Add(text);
        }
    }

    private static void ResolveGroups(IoTestSpecification test, ulong wholeGroups, IReadOnlyList<int> groups)
    {
        var processors = new List<int>();
        for (var group = 0; group < 64; group++)
        {
            if ((wholeGroups & (1UL << group)) == 0)
                continue;
            if (group >= groups.Count)
                throw DiskSpdArguments.CreateInvalidError(
                    $"-ag{group}: this computer has {NumberFormat.Pluralize(groups.Count, "processor group")}, counted from 0."
                );
            processors.AddRange(Enumerable.Range(0, groups[group]).Select(processor => DiskSpdProcessorLists.GetNumber(group, processor)));
        }
        foreach (var pattern in test.Targets.Select(t => t.Pattern).OfType<IoPattern>().Append(test))
            pattern.Processors =
            [
                .. pattern.Processors.Where(p => (wholeGroups & (1UL << (p / DiskSpdProcessorLists.MaxPerGroup))) == 0),
                .. processors,
            ];
    }
}
