function Test-IoTarget {
    <#
        Checks a target without changing anything. Where a person may decide (a file of SQL Server is read, somebody else's file is overwritten) the
        person is asked, if there is one. Nothing is returned for a target that stays refused: the error has then been written.
    #>
    [CmdletBinding()]
    [OutputType([IoBench.Engine.PreparedTarget])]
    param(
        [Parameter(Mandatory)]
        [IoBench.Engine.IoTestSpecification] $Specification,

        [Parameter(Mandatory)]
        [IoBench.Engine.IoTargetSpecification] $Target,

        [switch] $Force,

        # By path, what the user said yes to; widened here.
        [Parameter(Mandatory)]
        [hashtable] $Approved,

        [Parameter(Mandatory)]
        [System.Management.Automation.PSCmdlet] $Cmdlet
    )

    while ($true) {
        $checked = [IoBench.Loader.Attempt]::Check($Specification, $Target, (Get-IoRunOption -Path $Target.Path -Force:$Force -Approved $Approved))
        if (-not $checked.Error) {
            return $checked.Value
        }
        $problem = ConvertTo-IoErrorRecord -ErrorObject $checked.Error -TargetObject $Target.Path
        $reads = $Specification.PatternOf($Target).WritePercent -eq 0
        $what, $question = switch ($problem.FullyQualifiedErrorId) {
            'IoBench.SqlServerFile' { if ($reads) { 'Read', 'Read it all the same? SQL Server will wait for its own I/O meanwhile.' } }
            'IoBench.ForeignFile' { 'Overwrite', 'Its content will be lost. Use it all the same?' }
        }
        # -Confirm:$false answers whether the server may be slowed down; what destroys data needs -Force or a yes.
        $isAllowed = $false
        if ($question -and $Approved[$Target.Path] -notcontains $what -and -not $WhatIfPreference) {
            if ($what -eq 'Read' -and $ConfirmPreference -eq 'None') {
                $isAllowed = $true
            } elseif (Test-IoPrompt -Cmdlet $Cmdlet) {
                $isAllowed = $Cmdlet.ShouldContinue("$problem`n$question", 'Test a file that is not IoBench''s')
            }
        }
        if (-not $isAllowed) {
            $Cmdlet.WriteError($problem)
            return
        }
        $Approved[$Target.Path] = @($Approved[$Target.Path]) + $what
    }
}
