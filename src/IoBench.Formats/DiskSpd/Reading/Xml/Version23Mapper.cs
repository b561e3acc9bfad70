namespace IoBench.Formats;

internal sealed class Version23Mapper(DiskSpdOptions options, XmlProblem problem)
{
    private readonly DiskSpd23Options _version23 = options.Version23 ??= new DiskSpd23Options();

    internal void Take(XmlTree element)
    {
        switch (element.Name)
        {
            case "IoRing":
                TakeIoRing(element);
                break;
            case "AffinityTraversal":
                TakeTraversal(element);
                break;
            case "BufferSeparation":
                _version23.SeparatesBuffers = Word(element, element.Text, "SystemDefault", "PDECacheLine") != 0;
                break;
            case "CompletionDepth":
                _version23.CompletionDepth = XmlValue.Int(element, problem);
                break;
        }
    }

    /// <summary>Reads <c>BypassIO</c> of a target. If targets differ, the strictest requirement applies.</summary>
    internal void TakeBypass(XmlTree element) =>
        _version23.BypassIO = (DiskSpdBypass)Math.Max((int)_version23.BypassIO, 1 + Word(element, element.Text, "Partial", "Full"));

    private void TakeIoRing(XmlTree ring)
    {
        // As with -u, buffers are registered by default, and the default batch is 25% of the outstanding I/Os.
        (_version23.IoRingBatch, _version23.IoRingBatchIsPercent) = (25, true);
        if (ring["IoRingBatchSize"] is { } batch)
            (_version23.IoRingBatch, _version23.IoRingBatchIsPercent) = (
                XmlValue.Int(batch, problem),
                batch.Attributes.GetValueOrDefault("Percent") is "true" or "1"
            );
        if (ring["UseRegBuffer"] is { } registered)
            _version23.RegistersBuffers = XmlValue.Flag(registered, problem);
    }

    private void TakeTraversal(XmlTree element)
    {
        _version23.IsCoreAware = Word(element, element.Text, "Cpu", "CoreAware") == 1;
        if (element.Attributes.TryGetValue("Group", out var group))
            _version23.SpansGroups = Word(element, group, "Fill", "Span") == 1;
        if (element.Attributes.TryGetValue("Efficiency", out var order))
            _version23.CoreOrder = (DiskSpdCoreOrder)Word(element, order, "PFirst", "Unordered", "EFirst", "FillPFirst", "FillEFirst");
    }

    /// <summary>Returns the index of a word in <paramref name="words"/>. Any other word is a problem and returns 0.</summary>
    private int Word(XmlTree element, string word, params string[] words)
    {
        if (Array.IndexOf(words, word) is >= 0 and var index)
            return index;
        problem(element.Line, $"<{element.Name}>: '{(word.Length > 40 ? word[..40] + "…" : word)}' is none of {string.Join(", ", words)}");
        return 0;
    }
}
