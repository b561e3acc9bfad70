function Get-IoRunOption {
    <# What a test may do: what the call allows, and what the user said yes to for the files of this test. A yes to one file is none to another. #>
    [CmdletBinding()]
    [OutputType([IoBench.Engine.TestRunOptions])]
    param(
        [Parameter(Mandatory)]
        [string[]] $Path,

        # Allow everything that may be allowed at all.
        [switch] $Force,

        # By path, what the user said yes to.
        [Parameter(Mandatory)]
        [hashtable] $Approved
    )

    $said = foreach ($item in $Path) { $Approved[$item] }
    $options = [IoBench.Engine.TestRunOptions]::new()
    $options.Force = $Force -or $said -contains 'Overwrite'
    $options.AllowSqlServerRead = $Force -or $said -contains 'Read'
    $options
}
