using System.Collections.Concurrent;
using IoBench.Engine;
using IoBench.Formats;

namespace IoBench.Application;

/// <summary>
/// File with the result lines of all members as they arrive. A thousand hosts return more than fits in memory, so memory holds only what
/// the summary needs.
/// If the controller is killed, <c>iobench fleet merge</c> reads the file. If there is no folder for such files, a temporary file without a
/// name is used and is lost
/// with the controller.
/// </summary>
public sealed class FleetSpool : IDisposable
{
    private readonly object _gate = new();
    private readonly FileStream? _file;
    private readonly string? _folder;
    private readonly string? _path;
    private readonly ConcurrentDictionary<IoTestResult, SpooledResult> _places = new(ReferenceEqualityComparer.Instance);
    private string? _trouble;
    private long _length;

    private FleetSpool(FileStream? file, string? folder, string? path) => (_file, _folder, _path) = (file, folder, path);

    /// <summary>Creates the file for a group.</summary>
    public static FleetSpool Begin(string group) => Begin(group, JournalFolder.Path);

    internal static FleetSpool Begin(string group, string? folder)
    {
        try
        {
            if (folder is null)
                return new FleetSpool(Nameless(), null, null);
            JournalFolder.Make(folder);
            var path = Path.Combine(folder, $"fleet-{group}.jsonl");
            return new FleetSpool(
                new FileStream(path, FileMode.CreateNew, FileAccess.ReadWrite, FileShare.Read, bufferSize: 0),
                folder,
                path
            );
        }
        catch (Exception e) when (e is IOException or UnauthorizedAccessException)
        {
            return new FleetSpool(null, null, null) { _trouble = e.Message };
        }
    }

    /// <summary>Closes and deletes the file.</summary>
    public void Dispose()
    {
        _file?.Dispose();
        if (_path is not null)
            Remove(_path);
    }

    /// <summary>Returns the warning that results are kept in memory once; otherwise null.</summary>
    internal IoWarning? TakeTrouble() =>
        Interlocked.Exchange(ref _trouble, null) is { } text
            ? new IoWarning(WarningCodes.FleetInMemory, $"results are kept in memory until they are saved: {text}")
            : null;

    /// <summary>Adds a line. Any thread may call this method.</summary>
    /// <param name="line">The line, in UTF-8.</param>
    /// <param name="result">Range of the result within the line.</param>
    internal SpooledResult Add(ReadOnlySpan<byte> line, Range result)
    {
        lock (_gate)
        {
            if (_length == 0)
                RemoveEarlier();
            var (start, length) = result.GetOffsetAndLength(line.Length);
            if (_file is null || !TryWrite(line))
                return new SpooledResult(0, length, line[result].ToArray());
            var place = new SpooledResult(_length + start, length, null);
            _length += line.Length + 1;
            return place;
        }
    }

    /// <summary>Reads a result for the first time and remembers its location, so that it can be trimmed and read again in full.</summary>
    /// <exception cref="IoBenchException"><c>IoBench.InvalidJson</c>: the line is not a result; <c>IoBench.CannotRead</c>: the file cannot
    /// be read.</exception>
    internal IoTestResult Take(SpooledResult place)
    {
        var result = Read(place);
        _places[result] = place;
        return result;
    }

    /// <summary>
    /// Returns a result with all its details: reads it from the file again and keeps the values that were set since the first read.
    /// </summary>
    internal IoTestResult Whole(IoTestResult result)
    {
        if (!_places.TryGetValue(result, out var place))
            return result;
        var whole = Read(place);
        (whole.Member, whole.GroupId, whole.GroupHosts, whole.StartTime) = (
            result.Member,
            result.GroupId,
            result.GroupHosts,
            result.StartTime
        );
        (whole.Host, whole.CommonWindowPercent, whole.GroupMembers) = (result.Host, result.CommonWindowPercent, result.GroupMembers);
        return whole;
    }

    private IoTestResult Read(SpooledResult place)
    {
        if (place.Kept is { } kept)
            return JsonResultText.Result(kept);
        var bytes = new byte[place.Length];
        try
        {
            for (int done = 0, count; done < bytes.Length; done += count)
                if ((count = RandomAccess.Read(_file!.SafeFileHandle, bytes.AsSpan(done), place.Offset + done)) == 0)
                    throw new EndOfStreamException("it is shorter than it was.");
        }
        catch (IOException e)
        {
            throw InputFile.CannotRead(_path ?? "the file of this fleet's results", e);
        }
        return JsonResultText.Result(bytes);
    }

    private bool TryWrite(ReadOnlySpan<byte> line)
    {
        try
        {
            RandomAccess.Write(_file!.SafeFileHandle, line, _length);
            RandomAccess.Write(_file.SafeFileHandle, "\n"u8, _length + line.Length);
            return true;
        }
        catch (IOException e)
        {
            _trouble ??= e.Message;
            return false;
        }
    }

    /// <summary>
    /// Deletes files of controllers that were killed. Called at the first result of a new fleet; the file of a running fleet is open and
    /// stays.
    /// </summary>
    private void RemoveEarlier()
    {
        foreach (var path in _folder is null ? [] : Directory.EnumerateFiles(_folder, "fleet-*.jsonl").Where(path => path != _path))
        {
            try
            {
                using (new FileStream(path, FileMode.Open, FileAccess.ReadWrite, FileShare.None)) { }
                Remove(path);
            }
            catch (Exception e) when (e is IOException or UnauthorizedAccessException)
            {
                // A running fleet has the file open.
            }
        }
    }

    private static FileStream Nameless()
    {
        // GetTempFileName creates the file with mode 0600. Unix deletes the name now, and Windows deletes the file when the handle closes,
        // however the process ends.
        var path = Path.GetTempFileName();
        var file = new FileStream(
            path,
            FileMode.Open,
            FileAccess.ReadWrite,
            FileShare.None,
            bufferSize: 0,
            OperatingSystem.IsWindows() ? FileOptions.DeleteOnClose : FileOptions.None
        );
        if (!OperatingSystem.IsWindows())
            File.Delete(path);
        return file;
    }

    private static void Remove(string path)
    {
        try
        {
            File.Delete(path);
        }
        catch (Exception e) when (e is IOException or UnauthorizedAccessException)
        {
            // A virus scanner can have the file open. The next fleet deletes it.
        }
    }
}

/// <summary>Location of a result in a spool.</summary>
/// <param name="Offset">Offset of the first byte.</param>
/// <param name="Length">Length in bytes.</param>
/// <param name="Kept">The bytes themselves if they could not be written to the file; otherwise null.</param>
internal sealed record SpooledResult(long Offset, int Length, byte[]? Kept);
