using Microsoft.Win32.SafeHandles;

namespace IoBench.Engine.Tests;

internal sealed class ModelStream
{
    private byte[] _bytes = [];

    public long Length { get; private set; }

    /// <summary>
    /// End of the data that was written. Beyond it, the file system returns zeros, and it writes zeros before a later write.
    /// </summary>
    public long ValidData { get; set; }

    public long ZeroedBytes { get; private set; }

    public void SetLength(long length)
    {
        Array.Resize(ref _bytes, (int)length);
        Length = length;
        ValidData = Math.Min(ValidData, length);
    }

    public int Read(Span<byte> buffer, long offset)
    {
        var length = (int)Math.Clamp(Length - offset, 0, buffer.Length);
        _bytes.AsSpan((int)Math.Min(offset, Length), length).CopyTo(buffer);
        return length;
    }

    public void Write(ReadOnlySpan<byte> buffer, long offset)
    {
        if (offset + buffer.Length > Length)
            SetLength(offset + buffer.Length);
        ZeroedBytes += Math.Max(0, offset - ValidData);
        buffer.CopyTo(_bytes.AsSpan((int)offset));
        ValidData = Math.Max(ValidData, offset + buffer.Length);
    }
}

internal sealed class ModelFile(ulong id)
{
    public ulong Id => id;
    public ModelStream MainStream { get; } = new();

    public Dictionary<string, ModelStream> Streams { get; } = new(StringComparer.OrdinalIgnoreCase);
    public long Modified { get; set; }
    public uint Attributes { get; set; }

    /// <summary>Reparse tag; 0 = no reparse point.</summary>
    public uint ReparseTag { get; set; }

    /// <summary>Serial number of the file's volume; null = the volume of the model.</summary>
    public ulong? VolumeSerial { get; init; }

    public string? LinkTarget { get; set; }

    /// <summary>Allocated ranges; null = the whole file.</summary>
    public List<(long Offset, long Length)>? AllocatedRanges { get; set; }

    /// <summary>Valid data length; null = the whole file.</summary>
    public long? ValidDataLength { get; set; }
    public uint LinkCount { get; set; } = 1;
    public bool IsDeletePending { get; set; }
    public bool IsDevice { get; set; }

    public ulong DiskAttributes { get; set; }

    public int WriteCount { get; set; }
}

internal sealed class ModelHandle(
    SafeFileHandle handle,
    ModelFile file,
    ModelStream stream,
    string name,
    uint access,
    uint share,
    uint flags
)
{
    public SafeFileHandle Handle => handle;
    public ModelFile File => file;
    public ModelStream Stream => stream;
    public string Name => name;
    public uint Access => access;
    public uint Share => share;
    public uint Flags => flags;

    public bool HasPrivilege { get; init; }

    /// <summary>True if the handle refers to the reparse point itself instead of the content that its filter shows.</summary>
    public bool BypassesFilter { get; init; }

    public bool HasChanged { get; set; }

    /// <summary>True if the caller set the time or disabled its update.</summary>
    public bool HasFixedTime { get; set; }

    public bool UsedCache { get; set; }
    public List<(long Start, long End, bool Exclusive)> Locks { get; } = [];
}

/// <summary>Simulates that the process was killed: the call that throws has no effect, and neither has any later call.</summary>
internal sealed class ProcessKilledException : Exception;
