namespace IoBench.Engine.Specification;

/// <summary>A file or device of a test, and what is special about it.</summary>
public sealed class IoTargetSpecification
{
    /// <summary>Name of the test file when a folder is given.</summary>
    public const string DefaultFileName = "iobench.dat";

    /// <summary>A target at a path.</summary>
    public IoTargetSpecification(string path) => Path = path;

    /// <summary>File, folder (then <see cref="DefaultFileName"/> in it) or raw device.</summary>
    public string Path { get; set; }

    /// <summary>Size of the test file in bytes; null = the test's <see cref="IoTestSpecification.FileSize"/>.</summary>
    public long? FileSize { get; set; }

    /// <summary>First byte that may be touched.</summary>
    public long BaseOffset { get; set; }

    /// <summary>End (exclusive) of what may be touched; null = the end of the file.</summary>
    public long? MaxOffset { get; set; }

    /// <summary>What is done to this target; null = as the test says.</summary>
    public IoPattern? Pattern { get; set; }

    /// <summary>Named role of this target when several workloads run at once (data, log, tempdb, backup).</summary>
    public string? Role { get; set; }

    /// <inheritdoc/>
    public override string ToString() => Path;

    /// <summary>A copy that shares nothing with this one.</summary>
    public IoTargetSpecification Clone()
    {
        var copy = (IoTargetSpecification)MemberwiseClone();
        copy.Pattern = Pattern?.ClonePattern();
        return copy;
    }
}
