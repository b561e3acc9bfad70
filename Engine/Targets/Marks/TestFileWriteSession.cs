using System.Globalization;

namespace IoBench.Engine;

/// <summary>The marker is open from the first to the last target that writes, then closed if the content is as expected.</summary>
/// <remarks>Targets of a run that use the same file share one session.</remarks>
internal sealed class TestFileWriteSession(OpenFile file, OwnershipMarker mark)
{
    private readonly HeaderlessContent _written = new();
    private SortedDictionary<long, byte[]>? _before;
    private int _writers;
    private bool _isEvidence;
    private (ContentDigest Content, long Modified)? _recorded;

    public OpenFile File => file;

    public OwnershipMarker Marker { get; private set; } = mark;

    public void ReplaceMarker(OwnershipMarker mark) => Marker = mark;

    /// <param name="source">Bytes of the file that writes are copied from; null for other content.</param>
    public void BeginTarget(ulong seed, IoPattern pattern, byte[]? source)
    {
        // Earlier content without block headers can only be recognized by comparing it with samples from before the run.
        if (Marker.HasUnrecognizableContent && _writers == 0)
            _before ??= OwnershipMarker.ReadSamples(file.Handle, file.Path, Marker.Size);
        var opened = Marker.WithWriteSeed(seed) with
        {
            State = OwnershipMarkerState.Open,
            HasUnrecognizableContent = Marker.HasUnrecognizableContent || pattern.WriteContent != IoWriteContentKind.Random,
            HasCompressibleContent =
                Marker.HasCompressibleContent || pattern is { WriteContent: IoWriteContentKind.Random, CompressiblePercent: > 0 },
            RecordedContent = null,
        };
        OwnershipMarker.WriteText(file.Handle, file.Path, opened.ToText());
        _written.AddPattern(pattern, source);
        Marker = opened;
        _writers++;
    }

    /// <summary>Adds a digest of the content to the marker when it is closed, unless the file is written to until then.</summary>
    /// <param name="modified">Time of the last write when the content was read.</param>
    public void RecordContent(ContentDigest content, long modified) => _recorded = (content, modified);

    /// <summary>The last target closes the marker. Returns why it stays open, as a sentence for users; null if closed.</summary>
    /// <param name="isAwaited">Whether the user waits, so that only the minimum number of samples is verified.</param>
    public string? EndTarget(bool isAwaited = false)
    {
        if (_writers == 0 || --_writers > 0 || _isEvidence)
            return null;
        // The file can still change while I/O is outstanding. The next run can verify a file with an open marker.
        if (file.WorkerHandleCount > 0)
            return null;
        try
        {
            if (FindOutsideChange(isAwaited ? Ownership.Samples : OwnershipMarker.MaxSamples) is not { } why)
            {
                Marker = OwnershipMarker.Close(file.Handle, file.Path, Marker with { RecordedContent = GetRecordedContent() });
                return null;
            }
            return string.Create(
                CultureInfo.InvariantCulture,
                $"{file.Path} {why}. Another program changed the file during the test. The next write test therefore reads the whole file "
                    + $"first, and refuses to use the file if it contains data that IoBench did not write."
            );
        }
        catch (IoBenchException e)
        {
            // The results must not be lost because the disk is full or unavailable.
            return "IoBench could not complete the ownership marker of the test file. The next run verifies the contents of the file. "
                + e.Message;
        }
    }

    public void KeepAsEvidence(string evidence)
    {
        _isEvidence = true;
        Marker = OwnershipMarker.CloseAsEvidence(file.Handle, file.Path, Marker, evidence);
    }

    private ContentDigest? GetRecordedContent() =>
        _recorded is { } recorded && PlatformFiles.Current.GetStatus(file.Handle, file.Path).Modified == recorded.Modified
            ? recorded.Content
            : null;

    private string? FindOutsideChange(int samples) =>
        PlatformFiles.Current.TryGetStatus(file.Path) is not { } named || !named.IsSame(file.Status)
            ? "was replaced by another file, or no longer exists"
            : OwnershipMarker.FindOutsideChange(file.Handle, file.Path, Marker, _written, _before, max: samples);
}
