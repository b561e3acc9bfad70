namespace IoBench.Formats;

internal sealed class Version23Call
{
    private const int MaxBatch = 65536;
    private const int MaxDepth = 16;
    private readonly DiskSpd23Options _options = new();
    private bool _isUsed;

    internal DiskSpd23Options? Options => _isUsed ? _options : null;

    internal Affinity Affinity { get; } = new();

    internal void TakeAffinity(string value) => Affinity.Take(value, _options, () => _isUsed = true);

    /// <summary>Parses -u, -un, -u8, -u50p. The last batch size and the last n apply.</summary>
    internal void TakeIoRing(string option)
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
        var batch = CallText.Number(isPercent ? value[..^1] : value, out var isPlain);
        if (!isPlain || batch < 1 || batch > (isPercent ? 100 : MaxBatch))
            throw CallText.Wrong(
                $"-{option}: a batch of 1 to {MaxBatch} I/Os (-u8) or of 1 to 100 percent of the outstanding ones (-u50p) is possible."
            );
        (_options.IoRingBatch, _options.IoRingBatchIsPercent) = (batch, isPercent);
    }

    internal void TakeSeparation(string option)
    {
        _isUsed = true;
        _options.SeparatesBuffers = option switch
        {
            "bsp" => true,
            "bsn" => false,
            _ => throw CallText.Wrong(
                $"-{option}: -bsp (each buffer on a boundary of its own) and -bsn (where the system puts it) are possible."
            ),
        };
    }

    internal void TakeDepth(string option)
    {
        _isUsed = true;
        var depth = CallText.Number(option.AsSpan(2), out _);
        _options.CompletionDepth = depth is >= 1 and <= MaxDepth
            ? depth
            : throw CallText.Wrong($"-{option}: 1 to {MaxDepth} completions at once are possible, for example -oc4.");
    }

    internal void TakeBypass(DiskSpdBypass bypass)
    {
        _isUsed = true;
        if (_options.BypassIO != DiskSpdBypass.None)
            throw CallText.Wrong("-Sy and -SY: one of them can be given, once.");
        _options.BypassIO = bypass;
    }

    internal void Check(CallOptions o)
    {
        Refuse(_options.IoRingBatch is not null && o.Print.CompletionRoutines, "IoRing (-u) cannot be used with completion routines (-x)");
        Refuse(_options.CompletionDepth is not null && o.Print.CompletionRoutines, "-oc cannot be used with completion routines (-x)");
        if (_options.BypassIO == DiskSpdBypass.None)
            return;
        Refuse(!o.Unbuffered, "BypassIO (-Sy, -SY) needs unbuffered I/O (-Su)");
        Refuse(o.WritePercent > 0, "BypassIO (-Sy, -SY) is for reads only; leave out -w");
    }

    private static void Refuse(bool isWrong, string what)
    {
        if (isWrong)
            throw CallText.Wrong(what + ".");
    }
}
