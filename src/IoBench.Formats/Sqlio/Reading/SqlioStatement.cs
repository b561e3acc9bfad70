using static IoBench.Formats.Sqlio.Reading.SqlioRun;

namespace IoBench.Formats.Sqlio.Reading;

/// <summary>
/// What a line of SQLIO's says, whatever run it stands in. As a log repeats most of its lines run by run, this is kept and put
/// into the next run again (<see cref="SqlioLineMemory"/>).
/// </summary>
/// <param name="Kind">The part of a run's output the line is; none for a line that says nothing.</param>
internal abstract record SqlioStatement(SqlioLineKind Kind)
{
    /// <summary>A run may have several such lines, a file each; of others the second one begins the next run.</summary>
    public virtual bool MayRepeat => false;

    /// <summary>What of the line could not be read; null when all could.</summary>
    public string? Problem { get; init; }

    /// <summary>Puts it into a run.</summary>
    /// <param name="number">The line's number, from 1.</param>
    /// <returns>What of it the run has no place for; null when it has.</returns>
    public abstract string? Put(SqlioRun run, int number);
}

/// <summary>A line that only says where in a run it stands: a heading.</summary>
internal sealed record SqlioHeading(SqlioLineKind Kind) : SqlioStatement(Kind)
{
    public override string? Put(SqlioRun run, int number) => null;
}

/// <summary>SQLIO's first line.</summary>
internal sealed record SqlioVersion(string Version) : SqlioStatement(SqlioLineKind.Header)
{
    public override string? Put(SqlioRun run, int number)
    {
        run.ToolVersion = Version;
        return null;
    }
}

/// <summary>The timer of latencies.</summary>
internal sealed record SqlioTimer(string Name, string? Frequency) : SqlioStatement(SqlioLineKind.Timer)
{
    public override string? Put(SqlioRun run, int number)
    {
        run.Timer = Name;
        if (Frequency is not null)
            run.TimerFrequency = Frequency;
        return null;
    }
}

/// <summary>Block size and order of the I/Os.</summary>
internal sealed record SqlioPattern(int BlockKB, IoAccessPattern Access, int StripeKB, int StripeRows)
    : SqlioStatement(SqlioLineKind.Pattern)
{
    public override string? Put(SqlioRun run, int number)
    {
        run.BlockKB = BlockKB;
        run.Access = Access;
        if (Access == IoAccessPattern.Stride)
            (run.StripeKB, run.StripeRows) = (StripeKB, StripeRows);
        return null;
    }
}

/// <summary>A file's size.</summary>
internal sealed record SqlioSize(FileSize Size) : SqlioStatement(SqlioLineKind.Size)
{
    public override bool MayRepeat => true;

    public override string? Put(SqlioRun run, int number)
    {
        if (run.Sizes.Count > 0 && !run.Sizes[^1].IsFinal && run.Sizes[^1].Path == Size.Path)
            run.Sizes[^1] = Size;
        else if (run.Sizes.Count < SqlioLimits.MaxFiles)
            run.Sizes.Add(Size);
        return null;
    }
}

/// <summary>A line on a file that grows before the run.</summary>
internal sealed record SqlioExpanding() : SqlioStatement(SqlioLineKind.Size)
{
    public override bool MayRepeat => true;

    public override string? Put(SqlioRun run, int number) => null;
}

internal sealed record SqlioParameterFileName(string Name) : SqlioStatement(SqlioLineKind.ParameterFile)
{
    public override string? Put(SqlioRun run, int number)
    {
        run.ParameterFile = Name;
        return null;
    }
}

/// <summary>A line of the parameter file as it is echoed.</summary>
internal sealed record SqlioPool(string Path, int Threads, ulong Mask) : SqlioStatement(SqlioLineKind.Pools)
{
    public override bool MayRepeat => true;

    public override string? Put(SqlioRun run, int number)
    {
        if (run.Pools.Count >= SqlioLimits.MaxFiles)
            return $"more than the {SqlioLimits.MaxFiles} files SQLIO takes";
        run.Pools.Add(new Pool(Path, Threads, Mask, number));
        return null;
    }
}

/// <summary>Threads, operation, duration and files; what could not be read is null.</summary>
internal sealed record SqlioThreads(int Count, bool IsWrite) : SqlioStatement(SqlioLineKind.Threads)
{
    /// <summary>Duration in seconds.</summary>
    public int? Seconds { get; init; }

    /// <summary>Name of the file, or names of the files.</summary>
    public string? Files { get; init; }

    /// <summary>There are several names.</summary>
    public bool SeveralFiles { get; init; }

    public override string? Put(SqlioRun run, int number)
    {
        run.Threads = Count;
        run.IsWrite = IsWrite;
        if (Seconds is null)
            return null;
        run.Seconds = Seconds;
        run.SeveralFiles = SeveralFiles;
        if (Files is not null)
            run.Files = Files;
        return null;
    }
}

/// <summary>Outstanding I/Os per thread.</summary>
internal sealed record SqlioOutstanding(int Count) : SqlioStatement(SqlioLineKind.Outstanding)
{
    public override string? Put(SqlioRun run, int number)
    {
        run.Outstanding = Count;
        return null;
    }
}

/// <summary>The caches that are used; null for words that are not known.</summary>
internal sealed record SqlioCaches(IoBuffering? Buffering) : SqlioStatement(SqlioLineKind.Buffering)
{
    public override string? Put(SqlioRun run, int number)
    {
        run.Buffering = Buffering;
        return null;
    }
}
