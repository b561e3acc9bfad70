using System;
using System.Collections.Generic;
using System.Collections.ObjectModel;
using System.Globalization;
using System.Linq;
using System.Management.Automation;
using System.Management.Automation.Host;
using System.Security;

/// <summary>A host with somebody in front of it: notes every question and answers with the labels it was given.</summary>
public sealed class AskingHost : PSHost
{
    private readonly AskingInterface _ui = new AskingInterface();

    public Queue<string> Answers => _ui.Answers;
    public List<string> Questions => _ui.Questions;
    public override string Name => "AskingHost";
    public override Version Version => new Version(1, 0);
    public override Guid InstanceId { get; } = Guid.NewGuid();
    public override PSHostUserInterface UI => _ui;
    public override CultureInfo CurrentCulture => CultureInfo.InvariantCulture;
    public override CultureInfo CurrentUICulture => CultureInfo.InvariantCulture;

    public override void EnterNestedPrompt() => throw new NotSupportedException();

    public override void ExitNestedPrompt() => throw new NotSupportedException();

    public override void NotifyBeginApplication() { }

    public override void NotifyEndApplication() { }

    public override void SetShouldExit(int exitCode) { }
}

internal sealed class AskingInterface : PSHostUserInterface
{
    public Queue<string> Answers { get; } = new Queue<string>();
    public List<string> Questions { get; } = new List<string>();
    public override PSHostRawUserInterface RawUI { get; } = new AskingRawInterface();

    public override int PromptForChoice(string caption, string message, Collection<ChoiceDescription> choices, int defaultChoice)
    {
        Questions.Add(message);
        // Without an answer left the test has been asked once too often.
        var answer = Answers.Dequeue();
        if (answer == "Enter")
            return defaultChoice;
        return choices.ToList().FindIndex(c => c.Label.Replace("&", "") == answer);
    }

    public override Dictionary<string, PSObject> Prompt(string caption, string message, Collection<FieldDescription> descriptions) =>
        throw new NotSupportedException();

    public override PSCredential PromptForCredential(string caption, string message, string userName, string targetName) =>
        throw new NotSupportedException();

    public override PSCredential PromptForCredential(
        string caption,
        string message,
        string userName,
        string targetName,
        PSCredentialTypes types,
        PSCredentialUIOptions options
    ) => throw new NotSupportedException();

    public override string ReadLine() => throw new NotSupportedException();

    public override SecureString ReadLineAsSecureString() => throw new NotSupportedException();

    public override void Write(string value) { }

    public override void Write(ConsoleColor foregroundColor, ConsoleColor backgroundColor, string value) { }

    public override void WriteDebugLine(string message) { }

    public override void WriteErrorLine(string value) { }

    public override void WriteLine(string value) { }

    public override void WriteProgress(long sourceId, ProgressRecord record) { }

    public override void WriteVerboseLine(string message) { }

    public override void WriteWarningLine(string message) { }
}

internal sealed class AskingRawInterface : PSHostRawUserInterface
{
    public override ConsoleColor BackgroundColor { get; set; }
    public override Size BufferSize { get; set; } = new Size(120, 50);
    public override Coordinates CursorPosition { get; set; }
    public override int CursorSize { get; set; }
    public override ConsoleColor ForegroundColor { get; set; }
    public override bool KeyAvailable => false;
    public override Size MaxPhysicalWindowSize => new Size(120, 50);
    public override Size MaxWindowSize => new Size(120, 50);
    public override Coordinates WindowPosition { get; set; }
    public override Size WindowSize { get; set; } = new Size(120, 50);
    public override string WindowTitle { get; set; } = "";

    public override void FlushInputBuffer() { }

    public override BufferCell[,] GetBufferContents(Rectangle rectangle) => new BufferCell[0, 0];

    public override KeyInfo ReadKey(ReadKeyOptions options) => throw new NotSupportedException();

    public override void ScrollBufferContents(Rectangle source, Coordinates destination, Rectangle clip, BufferCell fill) { }

    public override void SetBufferContents(Coordinates origin, BufferCell[,] contents) { }

    public override void SetBufferContents(Rectangle rectangle, BufferCell fill) { }
}
