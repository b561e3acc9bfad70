using IoBench.Engine;
using static IoBench.Formats.SqlioRun;

namespace IoBench.Formats;

/// <summary>
/// A parsed line of SQLIO's output, independent of its run. A log repeats most lines for each run, so the object is cached and applied to
/// later runs (<see cref="SqlioLineMemory"/>).
/// </summary>
/// <param name="Kind">Part of the output; None for a line without information.</param>
internal abstract record SqlioStatement(SqlioLineKind Kind)
{
    /// <summary>True if a run can have several such lines, one per file. Otherwise, the second line starts the next run.</summary>
    public virtual bool MayRepeat => false;

    /// <summary>Part of the line that could not be read, as a message; null if there is no problem.</summary>
    public string? Problem { get; init; }

    /// <summary>Sets the values of a run.</summary>
    /// <param name="number">Line number, from 1.</param>
    /// <returns>A message about a value that the run cannot hold; null if there is none.</returns>
    public abstract string? Put(SqlioRun run, int number);
}

internal sealed record SqlioHeading(SqlioLineKind Kind) : SqlioStatement(Kind)
{
    public override string? Put(SqlioRun run, int number) => null;
}

internal sealed record SqlioVersion(string Version) : SqlioStatement(SqlioLineKind.Header)
{
    public override string? Put(SqlioRun run, int number)
    {
        run.ToolVersion = Version;
        return null;
    }
}

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

internal sealed record SqlioThreads(int Count, bool IsWrite) : SqlioStatement(SqlioLineKind.Threads)
{
    public int? Seconds { get; init; }

    public string? Files { get; init; }

    /// <summary>True if <see cref="Files"/> contains several names.</summary>
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

internal sealed record SqlioOutstanding(int Count) : SqlioStatement(SqlioLineKind.Outstanding)
{
    public override string? Put(SqlioRun run, int number)
    {
        run.Outstanding = Count;
        return null;
    }
}

/// <summary>The caches in use; null if the description is unknown.</summary>
internal sealed record SqlioCaches(IoBuffering? Buffering) : SqlioStatement(SqlioLineKind.Buffering)
{
    public override string? Put(SqlioRun run, int number)
    {
        run.Buffering = Buffering;
        return null;
    }
}
