namespace IoBench.Formats;

internal sealed class DiskSpd23ProfileMapper(DiskSpdOptions options, XmlProblemHandler problem)
{
    private readonly DiskSpd23Options _version23 = options.Version23 ??= new DiskSpd23Options();

    internal void ReadElement(DiskSpdXmlElement element)
    {
        switch (element.Name)
        {
            case "IoRing":
                ReadIoRing(element);
                break;
            case "AffinityTraversal":
                ReadTraversal(element);
                break;
            case "BufferSeparation":
                _version23.SeparatesBuffers = GetWordIndex(element, element.Text, "SystemDefault", "PDECacheLine") != 0;
                break;
            case "CompletionDepth":
                _version23.CompletionDepth = DiskSpdXmlElement.ParseInt32(element, problem);
                break;
        }
    }

    /// <summary>Reads <c>BypassIO</c> of a target. If targets differ, the strictest requirement applies.</summary>
    internal void ReadBypass(DiskSpdXmlElement element) =>
        _version23.BypassIO = (DiskSpdBypass)Math.Max((int)_version23.BypassIO, 1 + GetWordIndex(element, element.Text, "Partial", "Full"));

    private void ReadIoRing(DiskSpdXmlElement ring)
    {
        // As with -u, buffers are registered by default, and the default batch is 25% of the outstanding I/Os.
        _version23.IoRingBatch = 25;
        _version23.IoRingBatchIsPercent = true;
        if (ring["IoRingBatchSize"] is { } batch)
        {
            _version23.IoRingBatch = DiskSpdXmlElement.ParseInt32(batch, problem);
            _version23.IoRingBatchIsPercent = batch.Attributes.GetValueOrDefault("Percent") is "true" or "1";
        }
        if (ring["UseRegBuffer"] is { } registered)
            _version23.RegistersBuffers = DiskSpdXmlElement.ParseBoolean(registered, problem);
    }

    private void ReadTraversal(DiskSpdXmlElement element)
    {
        _version23.IsCoreAware = GetWordIndex(element, element.Text, "Cpu", "CoreAware") == 1;
        if (element.Attributes.TryGetValue("Group", out var group))
            _version23.SpansGroups = GetWordIndex(element, group, "Fill", "Span") == 1;
        if (element.Attributes.TryGetValue("Efficiency", out var order))
            _version23.CoreOrder = (DiskSpdCoreOrder)GetWordIndex(
                element,
                order,
                "PFirst",
                "Unordered",
                "EFirst",
                "FillPFirst",
                "FillEFirst"
            );
    }

    /// <summary>Returns the index of a word in <paramref name="words"/>. Any other word is a problem and returns 0.</summary>
    private int GetWordIndex(DiskSpdXmlElement element, string word, params string[] words)
    {
        if (Array.IndexOf(words, word) is >= 0 and var index)
            return index;
        problem(
            element.Line,
            $"<{element.Name}>: '{(word.Length > 40 ? word[..40] + "…" : word)}' is not one of {string.Join(", ", words)}"
        );
        return 0;
    }
}
