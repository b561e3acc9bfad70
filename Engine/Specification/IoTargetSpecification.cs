namespace IoBench.Engine;

/// <summary>A file or device of a test, with the settings that apply only to it.</summary>
public sealed class IoTargetSpecification
{
    /// <summary>Name of the test file if the path is a folder.</summary>
    public const string DefaultFileName = "iobench.dat";

    private string _path = "";

    public IoTargetSpecification(string path) => Path = path;

    /// <summary>
    /// Path of a file, of a folder (the test file is then <see cref="DefaultFileName"/> in it), or of a raw device; never null.
    /// </summary>
    public string Path
    {
        get => _path;
        set => _path = value ?? "";
    }

    /// <summary>In bytes; null = the test's <see cref="IoTestSpecification.FileSize"/>.</summary>
    public long? FileSize { get; set; }

    /// <summary>Offset in bytes of the first byte that the test may access.</summary>
    public long BaseOffset { get; set; }

    /// <summary>End offset (exclusive) in bytes of the range that the test may access; null = the end of the file.</summary>
    public long? MaxOffset { get; set; }

    /// <summary>Pattern of this target; null = the pattern of the test.</summary>
    public IoPattern? Pattern { get; set; }

    /// <summary>File role of this target if several workloads run concurrently (data, log, tempdb, backup).</summary>
    public string? Role { get; set; }

    public override string ToString() => Path;

    public IoTargetSpecification Clone()
    {
        var copy = (IoTargetSpecification)MemberwiseClone();
        copy.Pattern = Pattern?.ClonePattern();
        return copy;
    }
}
