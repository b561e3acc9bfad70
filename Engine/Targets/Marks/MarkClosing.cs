using System.Diagnostics;
using System.Globalization;
using System.Runtime.InteropServices;
using Microsoft.Win32.SafeHandles;

namespace IoBench.Engine.Targets.Marks;

/// <summary>A read with its times, in nanoseconds.</summary>
/// <param name="Offset">Its place in bytes.</param>
/// <param name="Began">When it was started.</param>
/// <param name="Ended">When it was done.</param>
internal readonly record struct TimedRead(long Offset, long Began, long Ended);

/// <summary>Closes a mark over what a file is now, once its content is proved to be ours.</summary>
internal static class MarkClosing
{
    /// <summary>A result shall not wait for it: as many samples as fit into a time, and not fewer than prove something.</summary>
    public const int MaxSamples = 512;
    private static readonly TimeSpan s_time = TimeSpan.FromMilliseconds(200);

    // The mark's own writing moves the file's time of change. It is noted that much later, and no change is let pass unseen in between; more where
    // the system is slow.
    private static readonly TimeSpan[] s_slack = [TimeSpan.FromMilliseconds(10), TimeSpan.FromMilliseconds(100), TimeSpan.FromSeconds(1)];
    private static readonly TimeSpan s_clockStep = TimeSpan.FromMilliseconds(10);

    /// <summary>Samples to remember before a file is made longer: that takes its time anyway. Of a file of at most 4 MB they are all there is.</summary>
    public const int LongSamples = 1024;

    /// <summary>Content that cannot be recognised later, as it is before a run: samples of it.</summary>
    public static SortedDictionary<long, byte[]> Remember(SafeFileHandle handle, string path, long size, int samples = Ownership.Samples)
    {
        using var reader = new BlockReader(handle, path);
        var blocks = new SortedDictionary<long, byte[]>();
        foreach (var offset in BlockReader.Offsets(size, samples, RandomKey()))
            blocks.Add(offset, reader.Read(offset).ToArray());
        return blocks;
    }

    /// <summary>Why a file that a run wrote to cannot be told to be ours any more, to stand behind its name; null when samples of it are.</summary>
    /// <param name="mark">The file's open mark.</param>
    /// <param name="written">What the run wrote besides random content; null = nothing.</param>
    /// <param name="before">Samples from before the run, where earlier content cannot be recognised; null where it can.</param>
    /// <param name="isUnfinished">Its making was given up: it may be shorter, and hold zeros beyond what is filled for certain.</param>
    /// <param name="max">Samples to look at.</param>
    /// <param name="reads">Gets the moment at which each sample was read; null = nobody asks.</param>
    public static string? WhyNot(
        SafeFileHandle handle,
        string path,
        FileMark mark,
        WrittenContent? written,
        SortedDictionary<long, byte[]>? before,
        bool isUnfinished = false,
        int max = MaxSamples,
        List<TimedRead>? reads = null
    )
    {
        var status = PlatformFiles.Current.GetStatus(handle, path);
        if (isUnfinished ? status.Size > mark.Size || status.Size < mark.Filled : status.Size != mark.Size)
            return string.Create(CultureInfo.InvariantCulture, $"has {status.Size} bytes and no longer {mark.Size}");
        var proof = new SectorProof(mark, written);
        using var reader = new BlockReader(handle, path);
        var began = Stopwatch.GetTimestamp();
        var count = 0;
        // Not in order: where time runs out, what was looked at lies all over the file.
        var offsets = BlockReader
            .Offsets(status.Size, max, RandomKey())
            .Where(offset => before is null || offset > before.Keys.Last())
            .ToArray();
        Random.Shared.Shuffle(offsets);
        // What was remembered is looked at whatever the time: nothing else distinguishes that content from another's.
        var min = Ownership.Samples + (before?.Count ?? 0);
        foreach (var offset in (before?.Keys.AsEnumerable() ?? []).Concat(offsets))
        {
            if (count++ >= min && Stopwatch.GetElapsedTime(began) > s_time)
                break;
            ReadOnlySpan<byte> known = before is not null && before.TryGetValue(offset, out var block) ? block : [];
            var asked = reads is null ? 0 : Clock.Now;
            var content = reader.Read(offset);
            reads?.Add(new TimedRead(offset, asked, Clock.Now));
            if (
                proof.FirstForeign(content, offset, zerosToo: isUnfinished && offset + content.Length > mark.Filled, known)
                is >= 0
                    and var at
            )
                return string.Create(CultureInfo.InvariantCulture, $"holds content at offset {at:N0} that IoBench did not write");
        }
        return null;
    }

    /// <summary>Closes the mark of a file to which nothing is written any more.</summary>
    public static FileMark Close(SafeFileHandle handle, string path, FileMark mark)
    {
        var closed = AsClosed(handle, path, mark);
        MarkStore.Write(handle, path, closed.ToText());
        foreach (var slack in s_slack)
        {
            var now = PlatformFiles.Current.GetStatus(handle, path).Changed;
            if (now == 0)
                return closed;
            var bound = closed with { ChangedBy = now + (long)slack.TotalNanoseconds };
            MarkStore.Write(handle, path, bound.ToText());
            if (PlatformFiles.Current.GetStatus(handle, path).Changed > bound.ChangedBy)
                continue;
            // Once the file system's clock has passed the bound, a change by anybody lies beyond it.
            Thread.Sleep(slack + s_clockStep);
            return bound;
        }
        MarkStore.Write(handle, path, closed.ToText());
        return closed;
    }

    /// <summary>Closes the mark of a file that is kept as evidence, and takes the right to write to it from everybody.</summary>
    public static FileMark CloseAsEvidence(SafeFileHandle handle, string path, FileMark mark, string evidence)
    {
        // The change of rights comes after the mark, which could not be written then: so no time of change is noted.
        var closed = AsClosed(handle, path, mark) with
        {
            Evidence = evidence,
        };
        MarkStore.Write(handle, path, closed.ToText());
        try
        {
            File.SetAttributes(path, File.GetAttributes(path) | FileAttributes.ReadOnly);
        }
        catch (Exception e) when (e is IOException or UnauthorizedAccessException)
        {
            // The mark keeps IoBench from writing to it; others the file system does not let us keep out.
        }
        return closed;
    }

    private static ulong RandomKey() => MemoryMarshal.Read<ulong>(Guid.NewGuid().ToByteArray());

    private static FileMark AsClosed(SafeFileHandle handle, string path, FileMark mark)
    {
        var status = PlatformFiles.Current.GetStatus(handle, path);
        return mark with
        {
            State = MarkState.Closed,
            Size = status.Size,
            Filled = status.Size,
            Modified = status.Modified,
            ChangedBy = 0,
            Proof = Ownership.Proof(handle, path, mark.Id, status.Size),
        };
    }
}
