function Test-IoPrompt {
    <# Whether somebody can be asked: a question to a job, an agent or a closed input would end it with an error nobody understands. #>
    [CmdletBinding()]
    [OutputType([bool])]
    param(
        [Parameter(Mandatory)]
        [System.Management.Automation.PSCmdlet] $Cmdlet
    )

    if ($Cmdlet.Host.Name -eq 'ConsoleHost') {
        $nonInteractive = [System.Environment]::GetCommandLineArgs() -match '^[-/]noni'
        return [System.Environment]::UserInteractive -and -not [System.Console]::IsInputRedirected -and -not $nonInteractive
    }
    # The hosts of jobs and of runspaces made by programs have no way to ask.
    $null -ne $Cmdlet.Host.UI -and $null -ne $Cmdlet.Host.UI.RawUI -and $Cmdlet.Host.Name -notin 'Default Host', 'ServerRemoteHost', 'PSHostDefault'
}
