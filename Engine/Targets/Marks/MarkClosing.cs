using System.Diagnostics;
using System.Globalization;
using System.Runtime.InteropServices;
using Microsoft.Win32.SafeHandles;

namespace IoBench.Engine;

/// <summary>A read with its start and end time in nanoseconds.</summary>
/// <param name="Offset">Offset in bytes.</param>
/// <param name="Began">Start time.</param>
/// <param name="Ended">End time.</param>
internal readonly record struct TimedRead(long Offset, long Began, long Ended);

internal static class OwnershipMarker
{
    /// <summary>
    /// Maximum number of samples. The time is limited so that results are not delayed, but a minimum number is always verified.
    /// </summary>
    public const int MaxSamples = 512;
    private static readonly TimeSpan s_sampleTime = TimeSpan.FromMilliseconds(200);

    // Writing the marker changes the file's change time. The recorded bound is therefore later by this slack, and Close waits until the
    // bound has passed,
    // so that no change in between goes undetected. Slow systems need more slack.
    private static readonly TimeSpan[] s_slack = [TimeSpan.FromMilliseconds(10), TimeSpan.FromMilliseconds(100), TimeSpan.FromSeconds(1)];
    private static readonly TimeSpan s_clockStep = TimeSpan.FromMilliseconds(10);

    /// <summary>
    /// Number of samples to read before a file is extended, which takes long anyway. For a file of at most 4 MB, they cover all of it.
    /// </summary>
    public const int ExtensionSamples = 1024;

    public static SortedDictionary<long, byte[]> ReadSamples(SafeFileHandle handle, string path, long size, int samples = Ownership.Samples)
    {
        using var reader = new BlockReader(handle, path);
        var blocks = new SortedDictionary<long, byte[]>();
        foreach (var offset in BlockReader.SelectSampleOffsets(size, samples, RandomKey()))
            blocks.Add(offset, reader.Read(offset).ToArray());
        return blocks;
    }

    /// <summary>
    /// Returns how a file that a run wrote to was changed outside IoBench, as text to append to the file's name; null if all samples are as
    /// expected.
    /// </summary>
    /// <param name="mark">The file's open marker.</param>
    /// <param name="written">Content without block headers that the run wrote; null = none.</param>
    /// <param name="before">Samples from before the run if earlier content cannot be recognized; otherwise null.</param>
    /// <param name="isUnfinished">Whether creating the file was aborted: it can then be shorter, and hold zeros beyond the filled
    /// bytes.</param>
    /// <param name="max">Maximum number of samples.</param>
    /// <param name="reads">Receives the times of each read; null = not needed.</param>
    public static string? FindOutsideChange(
        SafeFileHandle handle,
        string path,
        OwnershipMarker mark,
        HeaderlessContent? written,
        SortedDictionary<long, byte[]>? before,
        bool isUnfinished = false,
        int max = MaxSamples,
        List<TimedRead>? reads = null
    )
    {
        var status = PlatformFiles.Current.GetStatus(handle, path);
        if (isUnfinished ? status.Size > mark.Size || status.Size < mark.FilledBytes : status.Size != mark.Size)
            return string.Create(CultureInfo.InvariantCulture, $"has {status.Size} bytes and no longer {mark.Size}");
        var proof = new SectorVerifier(mark, written);
        using var reader = new BlockReader(handle, path);
        var began = Stopwatch.GetTimestamp();
        var count = 0;
        // Shuffle the offsets, so that the samples are spread over the file if the time runs out.
        var offsets = BlockReader
            .SelectSampleOffsets(status.Size, max, RandomKey())
            .Where(offset => before is null || offset > before.Keys.Last())
            .ToArray();
        Random.Shared.Shuffle(offsets);
        // Always verify the samples from before the run: nothing else distinguishes that content from other content.
        var min = Ownership.Samples + (before?.Count ?? 0);
        foreach (var offset in (before?.Keys.AsEnumerable() ?? []).Concat(offsets))
        {
            if (count++ >= min && Stopwatch.GetElapsedTime(began) > s_sampleTime)
                break;
            ReadOnlySpan<byte> known = before is not null && before.TryGetValue(offset, out var block) ? block : [];
            var asked = reads is null ? 0 : Clock.Now;
            var content = reader.Read(offset);
            reads?.Add(new TimedRead(offset, asked, Clock.Now));
            if (
                proof.FindUnknownSector(content, offset, zerosToo: isUnfinished && offset + content.Length > mark.FilledBytes, known)
                is >= 0
                    and var at
            )
                return string.Create(CultureInfo.InvariantCulture, $"holds content at offset {at:N0} that IoBench did not write");
        }
        return null;
    }

    public static OwnershipMarker Close(SafeFileHandle handle, string path, OwnershipMarker mark)
    {
        var closed = CreateClosed(handle, path, mark);
        OwnershipMarker.WriteText(handle, path, closed.ToText());
        foreach (var slack in s_slack)
        {
            var now = PlatformFiles.Current.GetStatus(handle, path).Changed;
            if (now == 0)
                return closed;
            var bound = closed with { ChangedNotAfter = now + (long)slack.TotalNanoseconds };
            OwnershipMarker.WriteText(handle, path, bound.ToText());
            if (PlatformFiles.Current.GetStatus(handle, path).Changed > bound.ChangedNotAfter)
                continue;
            // After the file system's clock has passed the bound, any change gets a later time than the bound.
            Thread.Sleep(slack + s_clockStep);
            return bound;
        }
        OwnershipMarker.WriteText(handle, path, closed.ToText());
        return closed;
    }

    /// <summary>Closes the marker of a file that is kept as evidence, and makes the file read-only.</summary>
    public static OwnershipMarker CloseAsEvidence(SafeFileHandle handle, string path, OwnershipMarker mark, string evidence)
    {
        // The file becomes read-only after the marker was written, which changes the change time; so no change time is recorded.
        var closed = CreateClosed(handle, path, mark) with
        {
            Evidence = evidence,
        };
        OwnershipMarker.WriteText(handle, path, closed.ToText());
        try
        {
            File.SetAttributes(path, File.GetAttributes(path) | FileAttributes.ReadOnly);
        }
        catch (Exception e) when (e is IOException or UnauthorizedAccessException)
        {
            // The marker still prevents IoBench from writing to the file.
        }
        return closed;
    }

    private static ulong RandomKey() => MemoryMarshal.Read<ulong>(Guid.NewGuid().ToByteArray());

    private static OwnershipMarker CreateClosed(SafeFileHandle handle, string path, OwnershipMarker mark)
    {
        var status = PlatformFiles.Current.GetStatus(handle, path);
        return mark with
        {
            State = MarkerState.Closed,
            Size = status.Size,
            FilledBytes = status.Size,
            Modified = status.Modified,
            ChangedNotAfter = 0,
            SampleHash = Ownership.HashSamples(handle, path, mark.Id, status.Size),
        };
    }
}
