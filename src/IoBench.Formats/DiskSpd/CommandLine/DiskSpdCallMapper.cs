using IoBench.Engine;

namespace IoBench.Formats;

internal sealed class DiskSpdCallMapper(DiskSpdCallOptions o)
{
    internal IoTestSpecification CreateSpecification(
        IReadOnlyList<string> targets,
        bool mayBeTemplate,
        int? duration,
        int? warmUp,
        int? coolDown,
        uint seed
    )
    {
        var specification = DiskSpdDefaults.CreateSpecification();
        specification.GetOrAddOrigin().DiskSpd = o.OutputOptions with { Version23 = o.Version23.Options };
        specification.ThreadTimelines = o.OutputOptions.GatherIops;
        specification.Duration = TimeSpan.FromSeconds(duration ?? 10);
        specification.WarmUp = TimeSpan.FromSeconds(warmUp ?? 5);
        specification.CoolDown = TimeSpan.FromSeconds(coolDown ?? 0);
        specification.Seed = seed;
        specification.FileSize = o.FileSize;
        if (o.IopsInterval is { } interval)
            specification.TimelineInterval = TimeSpan.FromMilliseconds(interval);
        specification.SharedThreadPool = o.PoolThreads > 0;
        specification.PoolOutstandingIO = o is { PoolThreads: > 0, PoolOutstanding: > 0 } ? o.PoolOutstanding : null;
        SetPattern(specification);
        foreach (var path in targets)
            specification.Targets.Add(CreateTarget(path, mayBeTemplate));
        return specification;
    }

    private IoTargetSpecification CreateTarget(string path, bool mayBeTemplate)
    {
        if (path.StartsWith('*') && !mayBeTemplate)
            throw DiskSpdArguments.CreateInvalidError($"'{path}' is a template's target: it can stand in a profile (-X) only.");
        var device = GetDevicePath(path);
        if (device is not null && o.FileSize is not null)
            throw DiskSpdArguments.CreateInvalidError($"-c makes files; '{path}' is not a file.");
        return new IoTargetSpecification(device ?? path) { BaseOffset = o.BaseOffset, MaxOffset = o.MaxOffset };
    }

    internal static string? GetDevicePath(string path)
    {
        if (path.Length >= 2 && path[0] == '#' && path.AsSpan(1).IndexOfAnyExceptInRange('0', '9') < 0)
            return @"\\.\PhysicalDrive" + path[1..];
        return path.Length == 2 && char.IsAsciiLetter(path[0]) && path[1] == ':' ? @"\\.\" + path : null;
    }

    private void SetPattern(IoPattern p)
    {
        p.BlockSize = o.BlockSize;
        p.ThreadCount = o.PoolThreads > 0 ? o.PoolThreads : o.Threads;
        p.OutstandingIO = o.Outstanding;
        p.WritePercent = o.WritePercent;
        p.Buffering = DiskSpdDefaults.GetBuffering(o.Unbuffered, o.WriteThrough);
        p.BurstSize = o.Burst ?? 0;
        p.ThinkTimeMs = o.ThinkTime ?? 0;
        p.MaxIopsPerThread = o.IopsLimit;
        p.MaxBytesPerSecondPerThread = o.BytesPerMillisecondLimit * 1000.0;
        p.AffinityMode = o.NoAffinity ? IoAffinityMode.Off : IoAffinityMode.RoundRobin;
        p.Processors = [.. o.Version23.Affinity.Processors];
        p.Priority = o.Priority;
        p.LargePages = o.LargePages;
        p.SequentialScanHint = o.SequentialHint;
        p.RandomAccessHint = o.RandomHint;
        p.TemporaryHint = o.TemporaryHint;
        p.ParallelSameOffset = o.Parallel;
        p.Distribution = [.. o.Distribution];
        p.DistributionIsAbsolute = o.DistributionIsAbsolute;
        SetOrder(p);
        SetContent(p);
    }

    private void SetOrder(IoPattern p)
    {
        p.AccessPattern = o.RandomRatio switch
        {
            100 => IoAccessPattern.Random,
            > 0 => IoAccessPattern.PartRandom,
            _ => o.Interlocked ? IoAccessPattern.Interlocked : IoAccessPattern.Sequential,
        };
        p.RandomPercent = p.AccessPattern == IoAccessPattern.PartRandom ? o.RandomRatio : 100;
        p.ThreadStride = p.AccessPattern == IoAccessPattern.Sequential ? o.ThreadStride ?? 0 : null;
        DiskSpdDefaults.SetAlignment(p, o.Alignment);
    }

    private void SetContent(IoPattern p)
    {
        // As in DiskSpd, a buffer (-Zsize) takes precedence over zeros (-Z), and zeros over random content (-Zr).
        p.WriteContentSize = o.BufferSize;
        p.WriteContentFile = o.BufferFile;
        if (o.BufferSize is not null)
            p.WriteContent = o.BufferFile is null ? IoWriteContentKind.Random : IoWriteContentKind.File;
        else if (o.ZeroBuffers)
            p.WriteContent = IoWriteContentKind.Zero;
        else if (o.RandomBuffers)
            p.WriteContent = IoWriteContentKind.Random;
    }
}
