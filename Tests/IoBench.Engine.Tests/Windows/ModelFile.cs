using Microsoft.Win32.SafeHandles;

namespace IoBench.Engine.Tests;

/// <summary>Content of a modelled file or of a stream in it.</summary>
internal sealed class ModelStream
{
    private byte[] _bytes = [];

    public long Length { get; private set; }

    /// <summary>Up to here something was written; behind it the file system shows zeros, and fills them in before a write further on.</summary>
    public long ValidData { get; set; }

    /// <summary>Bytes that were filled with zeros because a write came behind them.</summary>
    public long Zeroed { get; private set; }

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
        Zeroed += Math.Max(0, offset - ValidData);
        buffer.CopyTo(_bytes.AsSpan((int)offset));
        ValidData = Math.Max(ValidData, offset + buffer.Length);
    }
}

/// <summary>A modelled file, folder or disk.</summary>
internal sealed class ModelFile(ulong id)
{
    public ulong Id => id;
    public ModelStream Main { get; } = new();

    /// <summary>Streams by name.</summary>
    public Dictionary<string, ModelStream> Streams { get; } = new(StringComparer.OrdinalIgnoreCase);
    public long Modified { get; set; }
    public uint Attributes { get; set; }

    /// <summary>Kind of its reparse point; 0 = none.</summary>
    public uint ReparseTag { get; set; }

    /// <summary>The volume it lies on, where that is not the model's own.</summary>
    public ulong? VolumeSerial { get; init; }

    /// <summary>Where a link leads.</summary>
    public string? LinkTarget { get; set; }

    /// <summary>Ranges that have room; null = all of it.</summary>
    public List<(long Offset, long Length)>? Ranges { get; set; }
    public uint Links { get; set; } = 1;
    public bool IsDeletePending { get; set; }
    public bool IsDevice { get; set; }

    /// <summary>GET_DISK_ATTRIBUTES of a device.</summary>
    public ulong DiskAttributes { get; set; }

    /// <summary>Writes by any handle.</summary>
    public int Writes { get; set; }
}

/// <summary>One open of a modelled file.</summary>
internal sealed class ModelOpen(SafeFileHandle handle, ModelFile file, ModelStream stream, string name, uint access, uint share, uint flags)
{
    public SafeFileHandle Handle => handle;
    public ModelFile File => file;
    public ModelStream Stream => stream;
    public string Name => name;
    public uint Access => access;
    public uint Share => share;
    public uint Flags => flags;

    /// <summary>The volume privilege was enabled when it was opened.</summary>
    public bool HasPrivilege { get; init; }

    /// <summary>It stands on the reparse point itself and not on what its filter shows.</summary>
    public bool IsBare { get; init; }

    /// <summary>It wrote or moved the end.</summary>
    public bool HasChanged { get; set; }

    /// <summary>The caller set the time, or said that it shall not move.</summary>
    public bool HasTime { get; set; }

    /// <summary>It read or wrote through the file cache.</summary>
    public bool UsedCache { get; set; }
    public List<(long Start, long End, bool Exclusive)> Locks { get; } = [];
}

/// <summary>The process was killed: the call that raises this did not happen, and no later one does.</summary>
internal sealed class KilledException : Exception;
