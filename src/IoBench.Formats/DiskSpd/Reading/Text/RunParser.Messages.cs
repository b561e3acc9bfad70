namespace IoBench.Formats.DiskSpd.Reading.Text;

/// <summary>Lines that belong to no table: errors, warnings, prompts, and what is not understood.</summary>
internal sealed partial class RunParser
{
    private bool TakeMessage(ReadOnlySpan<char> line)
    {
        if (DiskSpdMessages.IsError(line))
        {
            AddError(line.ToString());
            return true;
        }
        if (line.StartsWith("WARNING:"))
        {
            var warning = "DiskSpd said: " + line.ToString();
            if (_run is not null)
                _run.Warn(warning);
            else if (_earlyWarnings.Count < DiskSpdRun.MaxWarnings)
                _earlyWarnings.Add(warning);
            return true;
        }
        if (DiskSpdMessages.IsVerbose(line) || DiskSpdMessages.IsTranscript(line))
            return true;
        // A prompt with the command that is to run: the run before it is over.
        if (DiskSpdMessages.IsPrompt(line))
        {
            if (_run is not null || _earlyErrors.Count > 0)
                EndRun();
            return true;
        }
        return false;
    }

    private void AddError(string text)
    {
        SawDiskSpd = true;
        // Messages go to stderr while the run lasts, the text to stdout at its end: they stand before the run they belong to.
        if (_run is null || _span is { Interruption: null })
        {
            if (_run is not null && _seen.IsWhole(_run, _span))
                EndRun();
            if (_run is null)
            {
                if (_earlyErrors.Count < DiskSpdRun.MaxWarnings)
                    _earlyErrors.Add(text);
                return;
            }
        }
        if (_run.Errors.Count < DiskSpdRun.MaxWarnings)
            _run.Errors.Add(text);
    }

    /// <summary>Keeps a line until the next one shows what it is: up to 2.1 a target's chart is headed by its bare path.</summary>
    private void Hold(ReadOnlySpan<char> line)
    {
        FlushHeld();
        if (_run is null)
            return;
        _held = line.Length <= 1024 ? line.ToString() : line[..1024].ToString();
        _heldLine = _line;
    }

    private void FlushHeld()
    {
        if (!string.IsNullOrEmpty(_held))
            _run?.Warn($"Line {_heldLine}: '{(_held.Length > 100 ? _held[..100] + "…" : _held)}' was not understood.");
        _held = null;
    }
}
