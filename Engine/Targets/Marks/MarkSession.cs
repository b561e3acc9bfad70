using System.Globalization;

namespace IoBench.Engine.Targets.Marks;

/// <summary>
/// A run's writing to an own file: from the first to the last target that writes, the mark says <c>open</c>; then it is closed over what the file is by
/// then, if that is ours. Targets of a run that name one file share one.
/// </summary>
/// <param name="file">The file, open for writing.</param>
internal sealed class MarkSession(OpenFile file, FileMark mark)
{
    private readonly WrittenContent _written = new();
    private SortedDictionary<long, byte[]>? _before;
    private int _writers;
    private bool _isEvidence;

    public OpenFile File => file;

    /// <summary>The mark as it is stored now.</summary>
    public FileMark Mark { get; private set; } = mark;

    /// <summary>Notes the mark of a file that was made or made longer since.</summary>
    public void Renew(FileMark mark) => Mark = mark;

    /// <summary>A target writes from now on.</summary>
    /// <param name="seed">Seed of its stamps.</param>
    /// <param name="pattern">What it writes.</param>
    /// <param name="source">The bytes that writes are cut from, when they come from a file.</param>
    public void Begin(ulong seed, IoPattern pattern, byte[]? source)
    {
        // What earlier runs wrote without stamps only its own bytes can tell.
        if (Mark.Opaque && _writers == 0)
            _before ??= MarkClosing.Remember(file.Handle, file.Path, Mark.Size);
        var opened = Mark.WithWriteSeed(seed) with
        {
            State = MarkState.Open,
            Opaque = Mark.Opaque || pattern.Content is not IoContent.Random,
            Compressible = Mark.Compressible || pattern.Content is IoContent.Random { CompressiblePercent: > 0 },
        };
        MarkStore.Write(file.Handle, file.Path, opened.ToText());
        _written.Add(pattern, source);
        Mark = opened;
        _writers++;
    }

    /// <summary>A target has done; with the last one the mark is closed. Returns why it stays open, as a sentence for people; null when it does not.</summary>
    /// <param name="isAwaited">Somebody has ended the run and waits: no more samples than prove something.</param>
    public string? End(bool isAwaited = false)
    {
        if (_writers == 0 || --_writers > 0 || _isEvidence)
            return null;
        // A file may yet change while I/O is in flight: the next run understands an open mark.
        if (file.HandlesOut > 0)
            return null;
        try
        {
            if (Why(isAwaited ? Ownership.Samples : MarkClosing.MaxSamples) is not { } why)
            {
                Mark = MarkClosing.Close(file.Handle, file.Path, Mark);
                return null;
            }
            return string.Create(
                CultureInfo.InvariantCulture,
                $"{file.Path} {why}: something else changed it while the test ran. Its mark stays open, so that the next write test looks at all of it and refuses what is not IoBench's."
            );
        }
        catch (IoBenchException e)
        {
            // A disk that is full or gone must not cost the figures.
            return "the test file's mark could not be closed; the next run proves the file by its content. " + e.Message;
        }
    }

    /// <summary>Closes the mark over the file as it is, for good: it is evidence.</summary>
    public void KeepAsEvidence(string evidence)
    {
        _isEvidence = true;
        Mark = MarkClosing.CloseAsEvidence(file.Handle, file.Path, Mark, evidence);
    }

    private string? Why(int samples) =>
        PlatformFiles.Current.TryGetStatus(file.Path) is not { } named || !named.IsSame(file.Status)
            ? "is another file now, or gone"
            : MarkClosing.WhyNot(file.Handle, file.Path, Mark, _written, _before, max: samples);
}
