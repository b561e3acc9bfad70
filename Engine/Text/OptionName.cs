namespace IoBench.Engine;

/// <summary>
/// An option in a message, by its neutral name in PascalCase (<c>BlockSize</c>). Each front end spells it in its own way.
/// </summary>
public readonly record struct OptionName(string Name, string? Value = null)
{
    internal string TemplateMarker => Value is null ? $"{{{Name}}}" : $"{{{Name}={Value}}}";

    /// <summary>Returns the option with a value, such as <c>--block-size 8KB</c>. Enumeration values keep their names.</summary>
    public OptionName WithValue(object value) => new(Name, FormattableString.Invariant($"{value}").Replace('}', ')'));

    public override string ToString() => Value is null ? Name : $"{Name} {Value}";

    internal static bool TryParse(string marker, out OptionName option)
    {
        var split = marker.IndexOf('=', StringComparison.Ordinal);
        option = split < 0 ? new OptionName(marker) : new OptionName(marker[..split], marker[(split + 1)..]);
        return option.Name.Length > 0 && option.Name.All(char.IsAsciiLetterOrDigit);
    }
}

public static class OptionNames
{
#pragma warning disable CS1591 // Each is the option of its name; the rows of options say what they are.
    public static readonly OptionName AccessPattern = new(nameof(AccessPattern)),
        Arrivals = new(nameof(Arrivals)),
        Affinity = new(nameof(Affinity)),
        Alignment = new(nameof(Alignment)),
        Backend = new(nameof(Backend)),
        BaseOffset = new(nameof(BaseOffset)),
        BlockMix = new(nameof(BlockMix)),
        BlockSize = new(nameof(BlockSize)),
        Buffering = new(nameof(Buffering)),
        BurstSize = new(nameof(BurstSize)),
        CompressiblePercent = new(nameof(CompressiblePercent)),
        CoolDown = new(nameof(CoolDown)),
        DedupablePercent = new(nameof(DedupablePercent)),
        Distribution = new(nameof(Distribution)),
        Duration = new(nameof(Duration)),
        EraseDevice = new(nameof(EraseDevice)),
        FileSize = new(nameof(FileSize)),
        FillVolume = new(nameof(FillVolume)),
        FlushEvery = new(nameof(FlushEvery)),
        Force = new(nameof(Force)),
        FromFileStats = new(nameof(FromFileStats)),
        FromXEvents = new(nameof(FromXEvents)),
        IdleSeconds = new(nameof(IdleSeconds)),
        Label = new(nameof(Label)),
        MaxOffset = new(nameof(MaxOffset)),
        MaxRate = new(nameof(MaxRate)),
        MaxRounds = new(nameof(MaxRounds)),
        NullServers = new(nameof(NullServers)),
        OutputPath = new(nameof(OutputPath)),
        OutstandingIO = new(nameof(OutstandingIO)),
        OverwriteFile = new(nameof(OverwriteFile)),
        ParallelSameOffset = new(nameof(ParallelSameOffset)),
        Path = new(nameof(Path)),
        PathMode = new(nameof(PathMode)),
        PoolOutstandingIO = new(nameof(PoolOutstandingIO)),
        Precondition = new(nameof(Precondition)),
        Polling = new(nameof(Polling)),
        RandomPercent = new(nameof(RandomPercent)),
        Repeat = new(nameof(Repeat)),
        Resume = new(nameof(Resume)),
        SharedThreadPool = new(nameof(SharedThreadPool)),
        SteadyState = new(nameof(SteadyState)),
        StopAboveMs = new(nameof(StopAboveMs)),
        StorageCacheSize = new(nameof(StorageCacheSize)),
        Stride = new(nameof(Stride)),
        StripeColumns = new(nameof(StripeColumns)),
        TargetIops = new(nameof(TargetIops)),
        ThinkTime = new(nameof(ThinkTime)),
        ThreadCount = new(nameof(ThreadCount)),
        ThreadStride = new(nameof(ThreadStride)),
        TimelineInterval = new(nameof(TimelineInterval)),
        WarmUp = new(nameof(WarmUp)),
        Workload = new(nameof(Workload)),
        WriteContent = new(nameof(WriteContent)),
        WritePercent = new(nameof(WritePercent)),
        DataPath = new(nameof(DataPath)),
        LogPath = new(nameof(LogPath)),
        MixLoad = new(nameof(MixLoad)),
        TempdbPath = new(nameof(TempdbPath)),
        BackupPath = new(nameof(BackupPath)),
        Recurse = new(nameof(Recurse)),
        ReadDatabase = new(nameof(ReadDatabase)),
        ReadOutstanding = new(nameof(ReadOutstanding)),
        WriteOutstanding = new(nameof(WriteOutstanding)),
        Verify = new(nameof(Verify)),
        Witness = new(nameof(Witness)),
        AfterCrash = new(nameof(AfterCrash));
#pragma warning restore CS1591
}
