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
                (_options.IoRingBatch, _options.IoRingBatchIsPercent) = (25, true);
            return;
        }
        var isPercent = value.EndsWith("p");
        var batch = DiskSpdArguments.ParseNumber(isPercent ? value[..^1] : value, out var isPlain);
        if (!isPlain || batch < 1 || batch > (isPercent ? 100 : MaxBatch))
            throw DiskSpdArguments.CreateInvalidError(
                $"-{option}: a batch of 1 to {MaxBatch} I/Os (-u8) or of 1 to 100 percent of the outstanding ones (-u50p) is possible."
            );
        (_options.IoRingBatch, _options.IoRingBatchIsPercent) = (batch, isPercent);
    }

    internal void ParseBufferSeparation(string option)
    {
        _isUsed = true;
        _options.SeparatesBuffers = option switch
        {
            "bsp" => true,
            "bsn" => false,
            _ => throw DiskSpdArguments.CreateInvalidError(
                $"-{option}: -bsp (each buffer on a boundary of its own) and -bsn (where the system puts it) are possible."
            ),
        };
    }

    internal void ParseCompletionDepth(string option)
    {
        _isUsed = true;
        var depth = DiskSpdArguments.ParseNumber(option.AsSpan(2), out _);
        _options.CompletionDepth = depth is >= 1 and <= MaxDepth
            ? depth
            : throw DiskSpdArguments.CreateInvalidError($"-{option}: 1 to {MaxDepth} completions at once are possible, for example -oc4.");
    }

    internal void SetBypass(DiskSpdBypass bypass)
    {
        _isUsed = true;
        if (_options.BypassIO != DiskSpdBypass.None)
            throw DiskSpdArguments.CreateInvalidError("-Sy and -SY: one of them can be given, once.");
        _options.BypassIO = bypass;
    }

    internal void Validate(DiskSpdCallOptions o)
    {
        ThrowIf(
            _options.IoRingBatch is not null && o.OutputOptions.CompletionRoutines,
            "IoRing (-u) cannot be used with completion routines (-x)"
        );
        ThrowIf(
            _options.CompletionDepth is not null && o.OutputOptions.CompletionRoutines,
            "-oc cannot be used with completion routines (-x)"
        );
        if (_options.BypassIO == DiskSpdBypass.None)
            return;
        ThrowIf(!o.Unbuffered, "BypassIO (-Sy, -SY) needs unbuffered I/O (-Su)");
        ThrowIf(o.WritePercent > 0, "BypassIO (-Sy, -SY) is for reads only; leave out -w");
    }

    private static void ThrowIf(bool isWrong, string what)
    {
        if (isWrong)
            throw DiskSpdArguments.CreateInvalidError(what + ".");
    }
}
