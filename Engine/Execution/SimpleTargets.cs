namespace IoBench.Engine;

/// <summary>Files as they are, or new ones full of random bytes. Writes to an existing file only by force.</summary>
internal sealed class SimpleTargets : ITargetPreparer
{
    private const int ChunkBytes = 1 << 20;

    /// <inheritdoc/>
    public PreparedTarget Prepare(IoTestSpecification specification, IoTargetSpecification target, TestRunOptions options, Action<long, long>? progress, CancellationToken token)
    {
        var path = Path.GetFullPath(Directory.Exists(target.Path) ? Path.Combine(target.Path, "iobench.dat") : target.Path);
        if (File.Exists(path))
        {
            if (specification.PatternOf(target).WritePercent > 0 && !options.Force)
                throw IoBenchException.Refused("IoBench.ForeignFile", $"{path} exists and was not made by IoBench: a write test would destroy it. Add --force to use it all the same.", path);
            return new PreparedTarget { Path = path, Size = new FileInfo(path).Length };
        }
        var size = target.FileSize ?? specification.FileSize
            ?? throw IoBenchException.Usage("IoBench.NoSize", $"{path} is not there and no size is given. Add --size, for example --size 20GB.", path);
        var random = new RandomSource(specification.Seed, 0, 0);
        var chunk = new byte[ChunkBytes];
        using var file = new FileStream(path, FileMode.CreateNew, FileAccess.Write, FileShare.Read, 0);
        for (long done = 0; done < size; progress?.Invoke(done, size))
        {
            token.ThrowIfCancellationRequested();
            var count = (int)Math.Min(chunk.Length, size - done);
            random.Fill(chunk.AsSpan(0, count));
            file.Write(chunk, 0, count);
            done += count;
        }
        file.Flush(flushToDisk: true);
        return new PreparedTarget { Path = path, Size = size, CreatedNow = true };
    }

    /// <inheritdoc/>
    public IDisposable BeginWriting(PreparedTarget target, ulong seed) => new MemoryStream();
}
