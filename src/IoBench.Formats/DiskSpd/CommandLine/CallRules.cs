namespace IoBench.Formats;

internal static class DiskSpdCallOptions
{
    internal static void Validate(DiskSpdCallOptions o)
    {
        ThrowIf(o.NoAffinity && o.Version23.Affinity.IsGiven, "-n and -a cannot be used together");
        ThrowIf(o.PoolThreads > 0 && o.Threads > 1, "-F and -t cannot be used together");
        var limited = o.IopsLimit is not null || o.BytesPerMillisecondLimit is not null;
        ThrowIf(limited && o.OutputOptions.CompletionRoutines, "-g cannot be used with completion routines (-x)");
        ThrowIf(o.Burst is null != o.ThinkTime is null, "-i (I/Os per burst) and -j (milliseconds between bursts) need each other");
        if (o.PoolThreads > 0 && o.PoolOutstanding > 0)
        {
            ThrowIf(limited, "-g cannot be used with -O");
            ThrowIf(o.ThinkTime is not null, "-j cannot be used with -O");
            ThrowIf(o.Parallel, "-p cannot be used with -O");
        }
        else if (o.PoolOutstanding > 0)
        {
            o.Notes.Add("-O has no effect without -F.");
        }
        if (o.RandomRatio > 0)
        {
            ThrowIf(o.ThreadStride is not null, "-T conflicts with -r");
            ThrowIf(o.Interlocked, "-si conflicts with -r");
            ThrowIf(o.Parallel, "-p conflicts with -r");
        }
        else
        {
            ValidateSequential(o);
        }
        o.Version23.Validate(o);
        DiskSpdDistributionOption.Validate(o.Distribution, o.DistributionIsAbsolute, o.BlockSize);
        ThrowIf(o.BufferSize < o.BlockSize, "the write buffer (-Z) is smaller than a block (-b)");
        ThrowIf(o.MaxOffset <= o.BaseOffset, "the end of the range (-f) must lie behind its beginning (-B)");
    }

    private static void ValidateSequential(DiskSpdCallOptions o)
    {
        var severalThreads = o.PoolThreads > 1 || o.Threads > 1;
        ThrowIf(o.Distribution.Count > 0, "-rd is for random I/O; give -r too");
        if (o.Parallel && o.Outstanding == 1)
            o.Notes.Add("-p has no effect unless several I/Os are outstanding (-o).");
        if (o.Interlocked)
        {
            ThrowIf(o.ThreadStride is not null, "-si conflicts with -T");
            ThrowIf(o.Parallel, "-si conflicts with -p");
            if (!severalThreads)
                o.Notes.Add("-si has no effect with one thread.");
            return;
        }
        ThrowIf(!severalThreads && o.ThreadStride is not null, "-T has no effect unless several threads use a target");
        if (severalThreads && o.ThreadStride is null)
            o.Notes.Add("All threads read the same blocks one after the other, so that caches answer: consider -si or -T.");
    }

    private static void ThrowIf(bool isWrong, string what)
    {
        if (isWrong)
            throw DiskSpdArguments.CreateInvalidError(what + ".");
    }
}
