namespace IoBench.Engine;

/// <summary>Detects by size and times whether another program changes a file while this run does not write to it.</summary>
internal sealed class OutsideChangeDetector
{
    private readonly OpenFile _file;
    private FileStatus _before;

    public OutsideChangeDetector(OpenFile file)
    {
        _file = file;
        Restart();
    }

    /// <summary>Time of the last write when the detection started.</summary>
    public long Modified => _before.Modified;

    public void Restart() => _before = GetStatus();

    /// <summary>Whether the file was written to or resized.</summary>
    public bool IsWritten()
    {
        var now = GetStatus();
        return now.Modified != _before.Modified || now.Size != _before.Size;
    }

    /// <summary>Whether anything changed. The time of the last change shows a write whose time was set back.</summary>
    public bool IsChanged() => IsWritten() || GetStatus().Changed != _before.Changed;

    private FileStatus GetStatus() => PlatformFiles.Current.GetStatus(_file.Handle, _file.Path);
}
